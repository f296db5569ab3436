// In the manner of courses on numerics: systems of equations, eigenvalues and singular values by
// cuSOLVER's dense factors, each put back together on the host.
#include <cublas_v2.h>
#include <cusolverDn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define SOLVE(call)                                                        \
  do {                                                                     \
    const cusolverStatus_t status = (call);                                \
    if (status != CUSOLVER_STATUS_SUCCESS) {                               \
      fprintf(stderr, "line %d: status %d\n", __LINE__, (int)status);      \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

static int bad = 0;
#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) bad++, fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
  } while (0)

const int n = 12, tall = 20;
typedef std::vector<double> Numbers;

static double *on_device(const Numbers &host) {
  double *device;
  cudaMalloc((void **)&device, host.size() * sizeof(double));
  cudaMemcpy(device, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice);
  return device;
}
static Numbers to_host(const double *device, size_t count) {
  Numbers host(count);
  cudaMemcpy(host.data(), device, count * sizeof(double), cudaMemcpyDeviceToHost);
  return host;
}
static double *workspace(int count) {
  double *work;
  cudaMalloc((void **)&work, count * sizeof(double));
  return work;
}
// The largest of |a x - b|, a of `rows` rows.
static double residual(const Numbers &a, const Numbers &x, const Numbers &b, int rows) {
  double largest = 0;
  for (int i = 0; i < rows; i++) {
    double sum = -b[i];
    for (int j = 0; j < n; j++) sum += a[i + j * rows] * x[j];
    largest = fmax(largest, fabs(sum));
  }
  return largest;
}

int main() {
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 77;  // no OpenBLAS: skipped
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  SOLVE(cusolverDnSetStream(handle, stream));
  srand(1);
  Numbers a(n * n), spd(n * n), b(n), high(tall * n), right(tall, 1.0);
  for (double &x : a) x = rand() % 2000 / 1000.0 - 1;
  for (double &x : b) x = rand() % 9;
  for (double &x : high) x = rand() % 2000 / 1000.0 - 1;
  a[0] = 0;  // needs another pivot
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) spd[i + j * n] = 1.0 / (1 + abs(i - j)) + (i == j) * 2;
  int *info, *pivots, size, host_info = -1;
  cudaMalloc((void **)&info, sizeof(int));
  cudaMalloc((void **)&pivots, n * sizeof(int));

  double *factors = on_device(a), *x = on_device(b);
  SOLVE(cusolverDnDgetrf_bufferSize(handle, n, n, factors, n, &size));
  double *work = workspace(size);
  SOLVE(cusolverDnDgetrf(handle, n, n, factors, n, work, pivots, info));
  SOLVE(cusolverDnDgetrs(handle, CUBLAS_OP_N, n, 1, factors, n, pivots, x, n, info));
  cudaStreamSynchronize(stream);
  cudaMemcpy(&host_info, info, sizeof(int), cudaMemcpyDeviceToHost);
  EXPECT(host_info == 0 && residual(a, to_host(x, n), b, n) < 1e-10);

  // Without pivots, as some do on matrices that need none.
  factors = on_device(spd), x = on_device(b);
  SOLVE(cusolverDnDgetrf(handle, n, n, factors, n, work, NULL, info));
  SOLVE(cusolverDnDgetrs(handle, CUBLAS_OP_T, n, 1, factors, n, NULL, x, n, info));
  cudaStreamSynchronize(stream);
  EXPECT(residual(spd, to_host(x, n), b, n) < 1e-10);

  factors = on_device(spd), x = on_device(b);
  SOLVE(cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, n, factors, n, &size));
  work = workspace(size);
  SOLVE(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, factors, n, work, size, info));
  SOLVE(cusolverDnDpotrs(handle, CUBLAS_FILL_MODE_LOWER, n, 1, factors, n, x, n, info));
  cudaStreamSynchronize(stream);
  EXPECT(residual(spd, to_host(x, n), b, n) < 1e-10);

  // What has no factors: info says at which row, counted from 1. First a matrix that is not positive definite, then one
  // with a column of zeros, and one whose elimination without other pivots ends at a zero; after it there may be more.
  double *room = workspace(size + n * n);
  for (int k = 0; k < n; k++) {
    Numbers negative = spd, diagonal(n * n);
    negative[k + k * n] = -1;
    factors = on_device(negative);
    SOLVE(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, factors, n, work, size, info));
    cudaStreamSynchronize(stream);
    cudaMemcpy(&host_info, info, sizeof(int), cudaMemcpyDeviceToHost);
    EXPECT(host_info == k + 1);
    for (int i = 0; i < n; i++) diagonal[i + i * n] = i != k && i != k + 3;
    for (int *order : {pivots, static_cast<int *>(nullptr)}) {
      factors = on_device(diagonal);
      SOLVE(cusolverDnDgetrf(handle, n, n, factors, n, room, order, info));
      cudaStreamSynchronize(stream);
      cudaMemcpy(&host_info, info, sizeof(int), cudaMemcpyDeviceToHost);
      EXPECT(host_info == k + 1);
    }
  }

  // Least squares: Q R x = b, by Householder's reflections and a triangle.
  double *qr = on_device(high), *tau = workspace(n), *y = on_device(right);
  SOLVE(cusolverDnDgeqrf_bufferSize(handle, tall, n, qr, tall, &size));
  work = workspace(size);
  SOLVE(cusolverDnDgeqrf(handle, tall, n, qr, tall, tau, work, size, info));
  SOLVE(cusolverDnDormqr_bufferSize(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, tall, 1, n, qr, tall, tau, y, tall,
                                    &size));
  work = workspace(size);
  SOLVE(cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, tall, 1, n, qr, tall, tau, y, tall, work, size,
                         info));
  cudaStreamSynchronize(stream);
  Numbers r = to_host(qr, tall * n), solution = to_host(y, n);
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) solution[i] -= r[i + j * tall] * solution[j];
    solution[i] /= r[i + i * tall];
  }
  for (int j = 0; j < n; j++) {  // what is left is orthogonal to each column
    double sum = 0;
    for (int i = 0; i < tall; i++) {
      double left = 1;
      for (int k = 0; k < n; k++) left -= high[i + k * tall] * solution[k];
      sum += left * high[i + j * tall];
    }
    EXPECT(fabs(sum) < 1e-10);
  }
  SOLVE(cusolverDnDorgqr_bufferSize(handle, tall, n, n, qr, tall, tau, &size));
  work = workspace(size);
  SOLVE(cusolverDnDorgqr(handle, tall, n, n, qr, tall, tau, work, size, info));
  cudaStreamSynchronize(stream);
  Numbers q = to_host(qr, tall * n);
  double length = 0, across = 0;
  for (int i = 0; i < tall; i++) length += q[i] * q[i], across += q[i] * q[i + tall];
  EXPECT(fabs(length - 1) < 1e-12 && fabs(across) < 1e-12);

  double *vectors = on_device(spd), *values = workspace(n);
  SOLVE(cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, vectors, n, values,
                                    &size));
  work = workspace(size);
  SOLVE(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, vectors, n, values, work, size,
                         info));
  cudaStreamSynchronize(stream);
  Numbers v = to_host(vectors, n * n), lambda = to_host(values, n);
  for (int k = 0; k < n; k++) {
    Numbers vector(v.begin() + k * n, v.begin() + (k + 1) * n), scaled = vector;
    for (double &e : scaled) e *= lambda[k];
    EXPECT(residual(spd, vector, scaled, n) < 1e-10 && (k == 0 || lambda[k] >= lambda[k - 1]));
  }

  double *matrix = on_device(high), *u = workspace(tall * tall), *vt = workspace(n * n);
  SOLVE(cusolverDnDgesvd_bufferSize(handle, tall, n, &size));
  work = workspace(size);
  SOLVE(cusolverDnDgesvd(handle, 'A', 'A', tall, n, matrix, tall, values, u, tall, vt, n, work, size, NULL, info));
  cudaStreamSynchronize(stream);
  Numbers left = to_host(u, tall * tall), s = to_host(values, n), across_right = to_host(vt, n * n);
  for (int i = 0; i < tall; i++)
    for (int j = 0; j < n; j++) {
      double sum = -high[i + j * tall];
      for (int k = 0; k < n; k++) sum += left[i + k * tall] * s[k] * across_right[k + j * n];
      EXPECT(fabs(sum) < 1e-10);
    }
  EXPECT(cusolverDnDgesvd(handle, 'N', 'N', n, tall, matrix, n, values, NULL, 1, NULL, 1, work, size, NULL, info) ==
         CUSOLVER_STATUS_INVALID_VALUE);  // wide matrices, as on a GPU

  // A Hermitian matrix: 2 on the diagonal, i above it and -i below; its eigenvalues are 2 + 2 cos(k pi / (n + 1)).
  std::vector<cuDoubleComplex> hermitian(n * n, make_cuDoubleComplex(0, 0));
  for (int i = 0; i < n; i++) {
    hermitian[i + i * n].x = 2;
    if (i > 0) hermitian[i - 1 + i * n].y = 1, hermitian[i + (i - 1) * n].y = -1;
  }
  cuDoubleComplex *complex_matrix, *complex_work;
  cudaMalloc(&complex_matrix, n * n * sizeof(cuDoubleComplex));
  cudaMemcpy(complex_matrix, hermitian.data(), n * n * sizeof(cuDoubleComplex), cudaMemcpyHostToDevice);
  SOLVE(cusolverDnZheevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, complex_matrix, n, values, &size));
  cudaMalloc(&complex_work, size * sizeof(cuDoubleComplex));
  SOLVE(cusolverDnZheevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, complex_matrix, n, values, complex_work, size, info));
  cudaStreamSynchronize(stream);
  lambda = to_host(values, n);
  std::vector<cuDoubleComplex> w(n * n);
  cudaMemcpy(w.data(), complex_matrix, n * n * sizeof(cuDoubleComplex), cudaMemcpyDeviceToHost);
  for (int k = 0; k < n; k++) {
    EXPECT(fabs(lambda[k] - (2 + 2 * cos((n - k) * acos(-1.0) / (n + 1)))) < 1e-12);
    for (int i = 0; i < n; i++) {
      cuDoubleComplex sum = make_cuDoubleComplex(-lambda[k] * w[i + k * n].x, -lambda[k] * w[i + k * n].y);
      for (int j = 0; j < n; j++) sum = cuCfma(hermitian[i + j * n], w[j + k * n], sum);
      EXPECT(cuCabs(sum) < 1e-12);
    }
  }
  SOLVE(cusolverDnDestroy(handle));
  puts(bad ? "wrong" : "right");
  return bad != 0;
}
