// The host reads a pinned buffer while the asynchronous copy into it may still be running.
#include <cstdio>

__global__ void produce(int* values) { values[threadIdx.x] = threadIdx.x; }

int main() {
  int *values, *host;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMallocHost(&host, 64 * sizeof(int));
  host[63] = 0;
  produce<<<1, 64>>>(values);
  cudaMemcpyAsync(host, values, 64 * sizeof(int), cudaMemcpyDeviceToHost);  // finds race-host
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  printf("%d\n", host[63]);  // finds race-host
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaFree(values);
}
