// Destroying a stream does not wait for its work: the host reads too early.
#include <cstdio>

int main() {
  cudaStream_t stream;
  int *values, *host;
  cudaStreamCreate(&stream);
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMallocHost(&host, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  host[0] = 1;
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  cudaStreamDestroy(stream);  // finds call-order
  printf("%d\n", host[0]);
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaFree(values);
}
