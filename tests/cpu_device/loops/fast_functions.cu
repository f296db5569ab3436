// The fast functions __expf() and __logf() in a kernel: no calls, so that its loops become vector instructions.
#include <cstdio>

__global__ void logistic(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1.0f / (1.0f + __expf(-x[i])) + __logf(x[i]);
}

int main() {
  const int n = 1000;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; i++) x[i] = (i - 3) * 0.17f;
  logistic<<<4, 256>>>(x, y, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < n; i++) printf("%a\n", y[i]);
  return 0;
}
