// Every second result is written by nobody; the host looks at one of them.
#include <cstdio>

__global__ void fill(int* values) {
#ifndef RIGHT
  if (threadIdx.x % 2 == 0)
#endif
    values[threadIdx.x] = 1;
}

int main() {
  int *values, host[32];
  cudaMalloc(&values, sizeof(host));
  fill<<<1, 32>>>(values);
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[17] > 0);  // finds unwritten-copy
  cudaFree(values);
}
