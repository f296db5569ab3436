// cuBLAS: functions that are told their types ("Ex"), for all real types of typed_products.h.
#include <cmath>

#include "cublas_internal.h"
#include "typed_products.h"

using namespace cpu_device;

namespace {

Matrix touched_matrix(const char* name, const TypedMatrix& m, bool is_read, bool is_written) {
  return {name, m.data, bytes_of(m.type), m.rows, m.columns, m.pitch, is_read, is_written};
}

// The type of alpha and beta.
cudaDataType factor_type(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
    default: return CUDA_R_32F;
  }
}
cublasComputeType_t compute_type(cudaDataType type) {
  return type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}

void multiply_add(double alpha, const TypedMatrix& a, bool transpose_a, const TypedMatrix& b, bool transpose_b,
                  double beta, const TypedMatrix& c, bool exact) {
  const size_t k = transpose_a ? a.rows : a.columns;
  const std::vector<double> sums =
      product(numbers_of(a, transpose_a), numbers_of(b, transpose_b), c.rows, c.columns, k, exact);
  for (size_t column = 0; column < c.columns; column++)
    for (size_t row = 0; row < c.rows; row++) {
      const size_t i = c.at(row, column);
      const double before = beta == 0 ? 0 : beta * number_at(c.type, c.data, i);
      put_number(c.type, c.data, i, alpha * sums[column * c.rows + row] + before);
    }
}

cublasStatus_t no_such_type(const char* function, Site site) {
  explain(site, std::string(function) + ": the CPU device does not support this combination of types",
          "use real numbers of 8 to 64 bits: CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_16BF, CUDA_R_8I, "
          "CUDA_R_32I ...");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

struct Vector {
  cudaDataType type;
  const void* data;
  int step;
  double operator[](int i) const { return number_at(type, data, place(i)); }
  size_t place(int i) const { return static_cast<size_t>(i) * static_cast<size_t>(step); }
};
Matrix touched_vector(const char* name, const Vector& x, int n, bool is_read, bool is_written) {
  return {name, x.data, bytes_of(x.type), 1, static_cast<size_t>(n), static_cast<size_t>(std::max(1, x.step)), is_read,
          is_written};
}

}  // namespace

namespace cpu_device {

cublasStatus_t gemm_of_types(cublasHandle_t handle, const char* function, cublasOperation_t op_a,
                             cublasOperation_t op_b, int m, int n, int k, const void* alpha, const void* a,
                             cudaDataType a_type, int lda, const void* b, cudaDataType b_type, int ldb,
                             const void* beta, void* c, cudaDataType c_type, int ldc, cublasComputeType_t compute,
                             Site site) {
  if (bytes_of(a_type) == 0 || bytes_of(b_type) == 0 || bytes_of(c_type) == 0) return no_such_type(function, site);
  const bool pa = op_a == CUBLAS_OP_N, pb = op_b == CUBLAS_OP_N;
  const auto matrix = [](cudaDataType type, const void* data, int rows, int columns, int pitch) {
    return TypedMatrix{type, const_cast<void*>(data), static_cast<size_t>(rows), static_cast<size_t>(columns),
                       static_cast<size_t>(pitch)};
  };
  const TypedMatrix x = matrix(a_type, a, pa ? m : k, pa ? k : m, lda), y = matrix(b_type, b, pb ? k : n, pb ? n : k, ldb);
  const TypedMatrix z = matrix(c_type, c, m, n, ldc);
  const cudaDataType type = factor_type(compute);
  const bool later = handle->mode == CUBLAS_POINTER_MODE_DEVICE;
  const double factor = later ? 0 : number_at(type, alpha, 0), keep = later ? 1 : number_at(type, beta, 0);
  const bool exact = type == CUDA_R_64F || type == CUDA_R_32I;
  return run(handle, function,
             {touched_matrix("A", x, true, false), touched_matrix("B", y, true, false),
              touched_matrix("C", z, keep != 0, true)},
             site, [=] {
               multiply_add(later ? number_at(type, alpha, 0) : factor, x, !pa, y, !pb,
                            later ? number_at(type, beta, 0) : keep, z, exact);
             });
}

}  // namespace cpu_device

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType a_type, int lda,
                                          long long a_stride, const void* b, cudaDataType b_type, int ldb,
                                          long long b_stride, const void* beta, void* c, cudaDataType c_type, int ldc,
                                          long long c_stride, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm, Site site) {
  CHECK_HANDLE;
  CHECK_SIZES(std::min({m, n, k, count}));
  const auto at = [](const void* data, cudaDataType type, long long i) {
    return static_cast<const char*>(data) + i * static_cast<long long>(bytes_of(type));
  };
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (long long i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; i++)
    status = cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, at(a, a_type, i * a_stride), a_type, lda,
                          at(b, b_type, i * b_stride), b_type, ldb, beta,
                          const_cast<char*>(at(c, c_type, i * c_stride)), c_type, ldc, compute, algorithm, site);
  return status;
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType a_type, int lda,
                                          long long a_stride, const void* b, cudaDataType b_type, int ldb,
                                          long long b_stride, const void* beta, void* c, cudaDataType c_type, int ldc,
                                          long long c_stride, int count, cudaDataType compute,
                                          cublasGemmAlgo_t algorithm, Site site) {
  return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, a_stride, b, b_type, ldb,
                                    b_stride, beta, c, c_type, ldc, c_stride, count, compute_type(compute), algorithm,
                                    site);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                             int k, const float* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                             cudaDataType b_type, int ldb, const float* beta, void* c, cudaDataType c_type, int ldc,
                             Site site) {
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT, site);
}

// ---- vectors ----

// x times y, and the same as the length of x: a number of its own type, on the host or the device.
static cublasStatus_t dot(cublasHandle_t handle, const char* function, int n, Vector x, Vector y, void* result,
                          cudaDataType type, bool is_length, Site site) {
  if (n < 0) return wrong(function, "a negative size", site);
  if (bytes_of(x.type) == 0 || bytes_of(y.type) == 0 || bytes_of(type) == 0) return no_such_type(function, site);
  const bool on_host = handle->mode == CUBLAS_POINTER_MODE_HOST;
  std::vector<Matrix> touched = {touched_vector("x", x, n, true, false), touched_vector("y", y, n, true, false)};
  if (!on_host) touched.push_back(touched_vector("the result", {type, result, 1}, 1, false, true));
  return status_of(run_in_stream(handle->stream, function, std::move(touched), on_host, site, [=] {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    put_number(type, result, 0, is_length ? std::sqrt(sum) : sum);
  }));
}
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType x_type, int x_step, const void* y,
                           cudaDataType y_type, int y_step, void* result, cudaDataType result_type, cudaDataType,
                           Site site) {
  CHECK_HANDLE;
  return dot(handle, __func__, n, {x_type, x, x_step}, {y_type, y, y_step}, result, result_type, false, site);
}
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType x_type, int x_step, void* result,
                            cudaDataType result_type, cudaDataType, Site site) {
  CHECK_HANDLE;
  return dot(handle, __func__, n, {x_type, x, x_step}, {x_type, x, x_step}, result, result_type, true, site);
}
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alpha_type, const void* x,
                            cudaDataType x_type, int x_step, void* y, cudaDataType y_type, int y_step, cudaDataType,
                            Site site) {
  CHECK_HANDLE;
  CHECK_SIZES(n);
  if (bytes_of(x_type) == 0 || bytes_of(y_type) == 0 || bytes_of(alpha_type) == 0) return no_such_type(__func__, site);
  const Vector from{x_type, x, x_step}, to{y_type, y, y_step};
  const bool later = handle->mode == CUBLAS_POINTER_MODE_DEVICE;
  const double factor = later ? 0 : number_at(alpha_type, alpha, 0);
  return run(handle, __func__, {touched_vector("x", from, n, true, false), touched_vector("y", to, n, true, true)}, site,
             [=] {
               const double now = later ? number_at(alpha_type, alpha, 0) : factor;
               for (int i = 0; i < n; i++) put_number(to.type, y, to.place(i), now * from[i] + to[i]);
             });
}
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alpha_type, void* x,
                            cudaDataType x_type, int x_step, cudaDataType, Site site) {
  CHECK_HANDLE;
  CHECK_SIZES(n);
  if (bytes_of(x_type) == 0 || bytes_of(alpha_type) == 0) return no_such_type(__func__, site);
  const Vector it{x_type, x, x_step};
  const bool later = handle->mode == CUBLAS_POINTER_MODE_DEVICE;
  const double factor = later ? 0 : number_at(alpha_type, alpha, 0);
  return run(handle, __func__, {touched_vector("x", it, n, true, true)}, site, [=] {
    const double now = later ? number_at(alpha_type, alpha, 0) : factor;
    for (int i = 0; i < n; i++) put_number(it.type, x, it.place(i), now * it[i]);
  });
}
