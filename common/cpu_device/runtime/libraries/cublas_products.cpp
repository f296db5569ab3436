// cuBLAS: products of matrices, of all types.
#include "cublas_internal.h"

using namespace cpu_device;

namespace {

struct Shape {
  cublasOperation_t op_a, op_b;
  int m, n, k, lda, ldb, ldc;
};

template <typename T>
void multiply(const Shape& s, T alpha, const T* a, const T* b, T beta, T* c) {
  if (s.m == 0 || s.n == 0) return;
  if constexpr (letter<T> == 'c' || letter<T> == 'z')
    blas(letter<T>, "gemm", kByColumns, of(s.op_a), of(s.op_b), s.m, s.n, s.k,
         static_cast<const void*>(&alpha), static_cast<const void*>(a), s.lda,
         static_cast<const void*>(b), s.ldb, static_cast<const void*>(&beta), static_cast<void*>(c),
         s.ldc);
  else
    blas(letter<T>, "gemm", kByColumns, of(s.op_a), of(s.op_b), s.m, s.n, s.k, alpha, a, s.lda, b,
         s.ldb, beta, c, s.ldc);
}

// In half precision: sums in float, rounded once.
template <typename T>
std::vector<float> widened(const T* from, int rows, int columns, int pitch) {
  std::vector<float> wide(static_cast<size_t>(pitch) * columns);
  for (int column = 0; column < columns; column++)
    for (int row = 0; row < rows; row++) {
      const size_t i = row + static_cast<size_t>(column) * pitch;
      wide[i] = static_cast<float>(from[i]);
    }
  return wide;
}
template <typename A, typename C>
void multiply_wide(const Shape& s, float alpha, const A* a, const A* b, float beta, C* c) {
  const bool pa = s.op_a == CUBLAS_OP_N, pb = s.op_b == CUBLAS_OP_N;
  const std::vector<float> wide_a = widened(a, pa ? s.m : s.k, pa ? s.k : s.m, s.lda);
  const std::vector<float> wide_b = widened(b, pb ? s.k : s.n, pb ? s.n : s.k, s.ldb);
  std::vector<float> wide_c(static_cast<size_t>(s.ldc) * s.n);
  if (beta != 0) wide_c = widened(c, s.m, s.n, s.ldc);
  multiply(s, alpha, wide_a.data(), wide_b.data(), beta, wide_c.data());
  for (int column = 0; column < s.n; column++)
    for (int row = 0; row < s.m; row++) {
      const size_t i = row + static_cast<size_t>(column) * s.ldc;
      c[i] = static_cast<C>(wide_c[i]);
    }
}
void multiply(const Shape& s, __half alpha, const __half* a, const __half* b, __half beta, __half* c) {
  multiply_wide(s, static_cast<float>(alpha), a, b, static_cast<float>(beta), c);
}

template <typename T, typename U>
std::vector<Matrix> touched_by(const Shape& s, const T* a, const T* b, U* c, bool reads_c) {
  const bool pa = s.op_a == CUBLAS_OP_N, pb = s.op_b == CUBLAS_OP_N;
  return {matrix_of("A", a, pa ? s.m : s.k, pa ? s.k : s.m, s.lda, true, false),
          matrix_of("B", b, pb ? s.k : s.n, pb ? s.n : s.k, s.ldb, true, false),
          matrix_of("C", c, s.m, s.n, s.ldc, reads_c, true)};
}

}  // namespace

#define GEMM(S, T)                                                                                  \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t op_a,                     \
                                 cublasOperation_t op_b, int m, int n, int k, const T* alpha,       \
                                 const T* a, int lda, const T* b, int ldb, const T* beta, T* c,     \
                                 int ldc, Site site) {                                              \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min({m, n, k}));                                                               \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    const Shape shape{op_a, op_b, m, n, k, lda, ldb, ldc};                                          \
    return run(handle, __func__, touched_by(shape, a, b, c, !is_zero(keep)), site,                  \
               [=] { multiply(shape, factor(), a, b, keep(), c); });                                \
  }                                                                                                 \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                     \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,   \
      const T* alpha, const T* a, int lda, long long a_stride, const T* b, int ldb,                 \
      long long b_stride, const T* beta, T* c, int ldc, long long c_stride, int count, Site site) { \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min({m, n, k, count}));                                                        \
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;                                                  \
    for (long long i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; i++)                        \
      status = cublas##S##gemm(handle, op_a, op_b, m, n, k, alpha, a + i * a_stride, lda,           \
                               b + i * b_stride, ldb, beta, c + i * c_stride, ldc, site);           \
    return status;                                                                                  \
  }                                                                                                 \
  cublasStatus_t cublas##S##gemmBatched(                                                            \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,   \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,      \
      T* const c[], int ldc, int count, Site site) {                                                \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min({m, n, k, count}));                                                        \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    const Shape shape{op_a, op_b, m, n, k, lda, ldb, ldc};                                          \
    /* The pointers lie on the device, so the matrices are known only when the work runs. */        \
    return run(handle, __func__,                                                                    \
               {vector_of("the array of A", a, count, 1, true, false),                              \
                vector_of("the array of B", b, count, 1, true, false),                              \
                vector_of("the array of C", c, count, 1, true, false)},                             \
               site, [=] {                                                                          \
      for (int i = 0; i < count; i++) {                                                             \
        for (const Matrix& x : touched_by(shape, a[i], b[i], c[i], !is_zero(keep)))                 \
          if (x.is_written)                                                                         \
            check::copied(const_cast<void*>(x.data), x.pitch * x.element, nullptr, 0,               \
                          x.rows * x.element, x.columns, site);                                     \
        multiply(shape, factor(), a[i], b[i], keep(), c[i]);                                        \
      }                                                                                             \
    });                                                                                             \
  }
GEMM(S, float)
GEMM(D, double)
GEMM(C, cuComplex)
GEMM(Z, cuDoubleComplex)
GEMM(H, __half)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                            int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t, Site site) {
  CHECK_HANDLE;
  CHECK_SIZES(std::min({m, n, k}));
  const Shape s{op_a, op_b, m, n, k, lda, ldb, ldc};
  if (a_type == CUDA_R_64F && b_type == a_type && c_type == a_type)
    return cublasDgemm(handle, op_a, op_b, m, n, k, static_cast<const double*>(alpha),
                       static_cast<const double*>(a), lda, static_cast<const double*>(b), ldb,
                       static_cast<const double*>(beta), static_cast<double*>(c), ldc, site);
  if (a_type == CUDA_R_32F && b_type == a_type && c_type == a_type)
    return cublasSgemm(handle, op_a, op_b, m, n, k, static_cast<const float*>(alpha),
                       static_cast<const float*>(a), lda, static_cast<const float*>(b), ldb,
                       static_cast<const float*>(beta), static_cast<float*>(c), ldc, site);
  const auto* half_a = static_cast<const __half*>(a);
  const auto* half_b = static_cast<const __half*>(b);
  const bool halves = a_type == CUDA_R_16F && b_type == a_type;
  if (halves && compute == CUBLAS_COMPUTE_16F && c_type == CUDA_R_16F)
    return cublasHgemm(handle, op_a, op_b, m, n, k, static_cast<const __half*>(alpha), half_a, lda,
                       half_b, ldb, static_cast<const __half*>(beta), static_cast<__half*>(c), ldc,
                       site);
  if (halves && compute != CUBLAS_COMPUTE_16F && (c_type == CUDA_R_16F || c_type == CUDA_R_32F)) {
    const Factor<float> factor(handle, static_cast<const float*>(alpha));
    const Factor<float> keep(handle, static_cast<const float*>(beta));
    if (c_type == CUDA_R_16F)
      return run(handle, __func__,
                 touched_by(s, half_a, half_b, static_cast<__half*>(c), !is_zero(keep)), site, [=] {
                   multiply_wide(s, factor(), half_a, half_b, keep(), static_cast<__half*>(c));
                 });
    return run(handle, __func__,
               touched_by(s, half_a, half_b, static_cast<float*>(c), !is_zero(keep)), site, [=] {
                 multiply_wide(s, factor(), half_a, half_b, keep(), static_cast<float*>(c));
               });
  }
  return gemm_of_types(handle, __func__, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type,
                       ldc, compute, site);
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                            int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cudaDataType compute, cublasGemmAlgo_t algorithm, Site site) {
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c,
                      c_type, ldc,
                      compute == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
                      : compute == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                      : compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                              : CUBLAS_COMPUTE_32F,
                      algorithm, site);
}
