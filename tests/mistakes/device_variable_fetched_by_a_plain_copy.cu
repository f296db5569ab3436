// A __device__ variable is fetched by the address that its name has on the host.
#include <cstdio>

__device__ int counter;

__global__ void count() { atomicAdd(&counter, 1); }

int main() {
  int host = 0;
  count<<<2, 32>>>();
#ifdef RIGHT
  cudaMemcpyFromSymbol(&host, counter, sizeof(host));
#else
  cudaMemcpy(&host, &counter, sizeof(host), cudaMemcpyDeviceToHost);  // finds wrong-pointer
#endif
  printf("%d\n", host);
}
