// The host reads mapped memory while the kernel that writes it may still be running.
#include <cstdio>

__global__ void produce(int* values) {
  values[threadIdx.x] = threadIdx.x;  // finds race-host
}

int main() {
  int *host, *mapped;
  cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, host, 0);
  host[63] = 0;
  produce<<<1, 64>>>(mapped);
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  printf("%d\n", host[63]);  // finds race-host
  cudaDeviceSynchronize();
  cudaFreeHost(host);
}
