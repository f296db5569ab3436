// The host waits for another stream than that of the copy whose result it reads.
#include <cstdio>

int main() {
  cudaStream_t copies, other;
  int *values, *host;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&other);
  const size_t bytes = 32 * sizeof(int);
  cudaMalloc(&values, bytes);
  cudaMallocHost(&host, bytes);
  cudaMemset(values, 0, bytes);
  host[0] = 1;
  cudaMemcpyAsync(host, values, bytes, cudaMemcpyDeviceToHost, copies);  // finds race-host
#ifdef RIGHT
  cudaStreamSynchronize(copies);
#else
  cudaStreamSynchronize(other);
#endif
  printf("%d\n", host[0]);  // finds race-host
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaFree(values);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(other);
}
