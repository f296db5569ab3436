// The host waits for an event that was recorded before the copy, not after it.
#include <cstdio>

int main() {
  const size_t bytes = 32 * sizeof(int);
  cudaEvent_t copied;
  int *values, *host;
  cudaEventCreate(&copied);
  cudaMalloc(&values, bytes);
  cudaMallocHost(&host, bytes);
  cudaMemset(values, 0, bytes);
  host[0] = 1;
#ifndef RIGHT
  cudaEventRecord(copied);
#endif
  cudaMemcpyAsync(host, values, bytes, cudaMemcpyDeviceToHost);  // finds race-host
#ifdef RIGHT
  cudaEventRecord(copied);
#endif
  cudaEventSynchronize(copied);
  printf("%d\n", host[0]);  // finds race-host
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaFree(values);
  cudaEventDestroy(copied);
}
