// In the manner of tests of BLAS level 1: small vectors with every pattern of ties and signs, in steps of 1 to 3, against
// loops. Of equal magnitudes the first one counts.
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <vector>

void find(cublasHandle_t handle, int n, const float *x, int step, int *largest, int *smallest, float *sum, float *norm) {
  cublasIsamax(handle, n, x, step, largest), cublasIsamin(handle, n, x, step, smallest);
  cublasSasum(handle, n, x, step, sum), cublasSnrm2(handle, n, x, step, norm);
}
void find(cublasHandle_t handle, int n, const double *x, int step, int *largest, int *smallest, double *sum, double *norm) {
  cublasIdamax(handle, n, x, step, largest), cublasIdamin(handle, n, x, step, smallest);
  cublasDasum(handle, n, x, step, sum), cublasDnrm2(handle, n, x, step, norm);
}

template <typename T>
int compare(cublasHandle_t handle, int pattern, int n, int step) {
  std::vector<T> x(16, T(99));
  for (int i = 0, rest = pattern; i < n; i++, rest /= 3) x[i * step] = T(rest % 3 - 1) * 2;  // -2, 0 or 2
  T *device;
  cudaMalloc(&device, x.size() * sizeof(T));
  cudaMemcpy(device, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice);
  int largest = -1, smallest = -1, want_largest = 0, want_smallest = 0;
  T sum = -1, norm = -1, want_sum = 0, squares = 0;
  find(handle, n, device, step, &largest, &smallest, &sum, &norm);
  for (int i = 0; i < n; i++) {
    const T value = std::fabs(x[i * step]);
    want_sum += value, squares += value * value;
    if (want_largest == 0 || value > std::fabs(x[(want_largest - 1) * step])) want_largest = i + 1;
    if (want_smallest == 0 || value < std::fabs(x[(want_smallest - 1) * step])) want_smallest = i + 1;
  }
  cudaFree(device);
  const bool good = largest == want_largest && smallest == want_smallest && sum == want_sum && std::fabs(norm - std::sqrt(squares)) < 1e-5;
  if (!good) printf("pattern %d of %d, step %d: %d %d %g %g\n", pattern, n, step, largest, smallest, double(sum), double(norm));
  return !good;
}

int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  int bad = 0;
  for (int n = 0, patterns = 1; n <= 4; n++, patterns *= 3)
    for (int pattern = 0; pattern < patterns; pattern++)
      for (int step = 1; step <= 3; step++)
        bad += compare<float>(handle, pattern, n, step) + compare<double>(handle, pattern, n, step);
  cublasDestroy(handle);
  printf(bad ? "wrong\n" : "right\n");
  return bad != 0;
}
