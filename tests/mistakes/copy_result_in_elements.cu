// Only n bytes of n results are copied on from one buffer to the next, and the host reads them all.
#include <cstdio>

__global__ void fill(int* values) { values[threadIdx.x] = 1; }

int main() {
  const int n = 32;
  int *values, *copies, host[n];
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&copies, sizeof(host));
  fill<<<1, n>>>(values);
#ifdef RIGHT
  cudaMemcpy(copies, values, n * sizeof(int), cudaMemcpyDeviceToDevice);
#else
  cudaMemcpy(copies, values, n, cudaMemcpyDeviceToDevice);
#endif
  cudaMemcpy(host, copies, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[n - 1] > 0);  // finds unwritten-copy
  cudaFree(copies);
  cudaFree(values);
}
