// Host code reads its own variable of that name, not the device's.
#include <cstdio>
__device__ int hits;
__global__ void count() { atomicAdd(&hits, 1); }
int main() {
  count<<<2, 32>>>();
  cudaDeviceSynchronize();
  int h = 0;
#ifdef RIGHT
  cudaMemcpyFromSymbol(&h, hits, sizeof h);
#else
  h = hits;  // finds wrong-side
#endif
  printf("%d\n", h);
}
