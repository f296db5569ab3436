// The kernel leaves out the first and the last element; the host reads them all the same.
#include <cstdio>

__global__ void average(const float* values, float* results, int n) {
  const int i = threadIdx.x;
  if (i > 0 && i < n - 1) results[i] = (values[i - 1] + values[i + 1]) / 2;
#ifdef RIGHT
  if (i == 0 || i == n - 1) results[i] = values[i];
#endif
}

int main() {
  float *values, *results, host[64] = {};
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&results, sizeof(host));
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  average<<<1, 64>>>(values, results, 64);
  cudaMemcpy(host, results, sizeof(host), cudaMemcpyDeviceToHost);
  float largest = 0;
  for (float value : host) largest = value > largest ? value : largest;  // finds unwritten-copy
  printf("%g\n", largest);
  cudaFree(results);
  cudaFree(values);
}
