// The host fetches the buffer into which no kernel has written.
#include <cstdio>

__global__ void fill(int* values) { values[threadIdx.x] = 2 * threadIdx.x; }

int main() {
  int *first, *second, host[32];
  cudaMalloc(&first, sizeof(host));
  cudaMalloc(&second, sizeof(host));
  fill<<<1, 32>>>(first);
#ifdef RIGHT
  cudaMemcpy(host, first, sizeof(host), cudaMemcpyDeviceToHost);
#else
  cudaMemcpy(host, second, sizeof(host), cudaMemcpyDeviceToHost);
#endif
  printf("%d\n", host[31] / 2);  // finds unwritten-copy
  cudaFree(second);
  cudaFree(first);
}
