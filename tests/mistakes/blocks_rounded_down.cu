// The number of blocks is rounded down: the last elements are never computed, but read.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 100;
  int *values, host[n];
  cudaMalloc(&values, sizeof(host));
#ifdef RIGHT
  fill<<<(n + 31) / 32, 32>>>(values, n);
#else
  fill<<<n / 32, 32>>>(values, n);
#endif
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < n; i++) sum += host[i] % 2;  // finds unwritten-copy
  printf("%d\n", sum);
  cudaFree(values);
}
