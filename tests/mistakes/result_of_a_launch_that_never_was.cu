// Nothing is launched for a small input, and its result is read all the same.
#include <cstdio>

__global__ void fill(int* values) { values[threadIdx.x] = 1; }

int main() {
  int *values, host[32], n = 32;
  cudaMalloc(&values, sizeof(host));
#ifdef RIGHT
  if (n >= 32) fill<<<1, 32>>>(values);
#else
  if (n > 32) fill<<<1, 32>>>(values);
#endif
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[n - 1] > 0);  // finds unwritten-copy
  cudaFree(values);
}
