// trap: who asks a stream until it is done may read the result; here nobody asks.
#include <cstdio>

__global__ void produce(int* values) {
  values[threadIdx.x] = threadIdx.x;  // finds race-host
}

int main() {
  cudaStream_t stream;
  int *host, *mapped;
  cudaStreamCreate(&stream);
  cudaHostAlloc(&host, 32 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, host, 0);
  host[31] = 0;
  produce<<<1, 32, 0, stream>>>(mapped);
#ifdef RIGHT
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
#endif
  printf("%d\n", host[31]);  // finds race-host
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaStreamDestroy(stream);
}
