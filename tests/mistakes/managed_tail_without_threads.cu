// The blocks do not cover the last elements of managed memory, and the host reads them all.
#include <stdio.h>

__global__ void square(int* values, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) values[i] = i * i;
}

int main() {
  const int n = 300, threads = 128;
  int* values;
  cudaMallocManaged(&values, n * sizeof(int));
#ifdef RIGHT
  const int blocks = (n + threads - 1) / threads;
#else
  const int blocks = n / threads;
#endif
  square<<<blocks, threads>>>(values, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += values[i] != i * i;  // finds uninitialized
  printf("%d wrong\n", wrong);
  cudaFree(values);
}
