// In the manner of first programs with cuBLAS: vectors, a matrix and a vector, products of matrices in
// all forms, a triangular system, batches, results on the device.
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                         \
  do {                                                                      \
    if ((call) != 0) {                                                      \
      fprintf(stderr, "line %d: %s failed\n", __LINE__, #call);             \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

// <cublas_v2.h> also brings the types of 16 bits.
static_assert(sizeof(__half) == 2 && sizeof(__nv_bfloat16) == 2, "types of products");

// Column by column, as cuBLAS has it.
#define AT(row, column, pitch) ((row) + (size_t)(column) * (pitch))

template <typename T>
struct OnDevice {
  T *data;
  explicit OnDevice(const std::vector<T> &from) {
    CHECK(cudaMalloc(&data, from.size() * sizeof(T)));
    CHECK(cublasSetVector((int)from.size(), sizeof(T), from.data(), 1, data, 1));
  }
  ~OnDevice() { cudaFree(data); }
  std::vector<T> host(size_t n) const {
    std::vector<T> copy(n);
    CHECK(cublasGetVector((int)n, sizeof(T), data, 1, copy.data(), 1));
    return copy;
  }
};

template <typename T>
std::vector<T> numbers(size_t n, unsigned seed) {
  std::vector<T> x(n);
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (T)((seed >> 8) / 16777216.0 - 0.5);
  }
  return x;
}

void close(double value, double expected, double bound, const char *what) {
  if (!(std::fabs(value - expected) <= bound)) {
    fprintf(stderr, "%s: %g, expected %g\n", what, value, expected);
    exit(1);
  }
}

template <typename T>
T element(const std::vector<T> &a, int pitch, cublasOperation_t op, int row, int column) {
  return op == CUBLAS_OP_N ? a[AT(row, column, pitch)] : a[AT(column, row, pitch)];
}

template <typename T, typename Gemm>
void test_gemm(cublasHandle_t handle, Gemm gemm, double bound) {
  const int m = 7, n = 13, k = 5, pitch = 17;
  for (int form = 0; form < 4; form++) {
    const cublasOperation_t op_a = form & 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t op_b = form & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
    const auto a = numbers<T>(pitch * 17, 1), b = numbers<T>(pitch * 17, 2), c = numbers<T>(pitch * n, 3);
    OnDevice<T> da(a), db(b), dc(c);
    const T alpha = 1.5, beta = form == 3 ? 0 : -0.5;
    CHECK(gemm(handle, op_a, op_b, m, n, k, &alpha, da.data, pitch, db.data, pitch, &beta, dc.data, pitch));
    const auto result = dc.host(c.size());
    for (int row = 0; row < pitch; row++)
      for (int column = 0; column < n; column++) {
        double sum = 0;
        for (int i = 0; i < k; i++)
          sum += (double)element(a, pitch, op_a, row, i) * element(b, pitch, op_b, i, column);
        const double old = c[AT(row, column, pitch)];
        close(result[AT(row, column, pitch)], row < m ? alpha * sum + beta * old : old, bound, "gemm");
      }
  }
}

int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 77;

  const int n = 1001;
  const auto x = numbers<float>(n, 4), y = numbers<float>(n, 5);
  OnDevice<float> dx(x), dy(y);
  float alpha = 2, dot = 0, largest = 0, norm = 0, sum = 0;
  int index = 0;
  CHECK(cublasSaxpy(handle, n, &alpha, dx.data, 1, dy.data, 1));
  CHECK(cublasSdot(handle, n, dx.data, 1, dy.data, 1, &dot));
  CHECK(cublasIsamax(handle, n, dx.data, 1, &index));
  CHECK(cublasSnrm2(handle, n, dx.data, 1, &norm));
  CHECK(cublasSasum(handle, (n + 1) / 2, dx.data, 2, &sum));
  double expected = 0, squares = 0, every_other = 0;
  for (int i = 0; i < n; i++) {
    expected += (double)x[i] * (y[i] + 2 * x[i]);
    squares += (double)x[i] * x[i];
    if (i % 2 == 0) every_other += std::fabs(x[i]);
    largest = std::fmax(largest, std::fabs(x[i]));
  }
  close(dot, expected, 1e-3, "dot");
  close(norm, std::sqrt(squares), 1e-4, "nrm2");
  close(sum, every_other, 1e-3, "asum");
  close(std::fabs(x[index - 1]), largest, 0, "amax");

  test_gemm<float>(handle, [](auto... a) { return cublasSgemm(a...); }, 1e-5);
  test_gemm<double>(handle, [](auto... a) { return cublasDgemm(a...); }, 1e-13);

  // y = A^T x for a matrix of 3 rows and 2 columns.
  const std::vector<double> a = {1, 2, 3, 4, 5, 6}, v = {1, 1, 2};
  OnDevice<double> da(a), dv(v), dw(std::vector<double>(2, 7));
  const double one = 1, zero = 0;
  CHECK(cublasDgemv(handle, CUBLAS_OP_T, 3, 2, &one, da.data, 3, dv.data, 1, &zero, dw.data, 1));
  const auto w = dw.host(2);
  close(w[0], 9, 1e-12, "gemv");
  close(w[1], 21, 1e-12, "gemv");

  // A lower triangle, solved and multiplied back.
  const std::vector<double> triangle = {2, 1, 3, 0, 4, 5, 0, 0, 6}, right = {2, 9, 43};
  OnDevice<double> dt(triangle), dr(right);
  CHECK(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT,
                    3, 1, &one, dt.data, 3, dr.data, 3));
  const auto solved = dr.host(3);
  close(solved[0], 1, 1e-12, "trsm");
  close(solved[1], 2, 1e-12, "trsm");
  close(solved[2], 5, 1e-12, "trsm");

  // The transposed.
  OnDevice<double> dtt(std::vector<double>(9, 0));
  CHECK(cublasDgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, &one, dt.data, 3, &zero, dtt.data, 3, dtt.data, 3));
  close(dtt.host(9)[3], 1, 0, "geam");

  // Ten products of 2 x 2, each in its place; factors and result on the device.
  const auto many = numbers<float>(40, 6);
  OnDevice<float> da2(many), db2(many), dc2(std::vector<float>(40, 0)), factors({1, 0});
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, factors.data, da2.data, 2, 4,
                                  db2.data, 2, 4, factors.data + 1, dc2.data, 2, 4, 10));
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  const auto products = dc2.host(40);
  for (int i = 0; i < 10; i++)
    close(products[4 * i + 1], many[4 * i + 1] * many[4 * i] + many[4 * i + 3] * many[4 * i + 1], 1e-6,
          "batch");

  // Half precision with sums in float.
  std::vector<__half> ones(64 * 64, __float2half(1)), none(64 * 64, __float2half(0));
  OnDevice<__half> dh(ones), dg(none);
  const float unit = 1, nothing = 0;
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &unit, dh.data, CUDA_R_16F, 64, dh.data,
                     CUDA_R_16F, 64, &nothing, dg.data, CUDA_R_16F, 64, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT));
  close(__half2float(dg.host(64 * 64)[4095]), 64, 0, "half");

  // Vectors of complex numbers, one of them from its end.
  const std::vector<cuDoubleComplex> first = {{1, 2}, {3, -1}}, second = {{0, 1}, {2, 0}};
  OnDevice<cuDoubleComplex> some(first), other(second);
  const cuDoubleComplex turn = {0, 1};
  const double half = 0.5;
  cuDoubleComplex product;
  double length;
  CHECK(cublasZdotc(handle, 2, some.data, 1, other.data, 1, &product));
  close(product.x, 8, 0, "Zdotc"), close(product.y, 3, 0, "Zdotc");
  CHECK(cublasZdotu(handle, 2, some.data, 1, other.data, -1, &product));
  close(product.x, 3, 0, "Zdotu"), close(product.y, 7, 0, "Zdotu");
  CHECK(cublasZscal(handle, 2, &turn, some.data, 1));
  CHECK(cublasZdscal(handle, 2, &half, some.data, 1));
  CHECK(cublasZaxpy(handle, 2, &turn, other.data, 1, some.data, 1));
  close(some.host(2)[0].x, -2, 0, "Zaxpy"), close(some.host(2)[1].y, 3.5, 0, "Zaxpy");
  CHECK(cublasDznrm2(handle, 2, other.data, 1, &length));
  close(length, sqrt(5), 1e-12, "Dznrm2");

  CHECK(cublasDestroy(handle));
  printf("all products are right\n");
  return 0;
}
