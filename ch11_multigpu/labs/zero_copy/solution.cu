// c = a + b in the host's memory, computed by the device, without copies.
#include "book.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Memory of the host for n numbers that the device can reach; cudaFreeHost() frees it.
float* allocate(int n) {
  float* memory = nullptr;
  // SOLUTION BEGIN: cudaHostAlloc(&memory, bytes, flags); the flag is cudaHostAllocMapped
  HANDLE_ERROR(cudaHostAlloc(&memory, n * sizeof(float), cudaHostAllocMapped));
  //| HANDLE_ERROR(cudaMallocHost(&memory, n));
  // SOLUTION END
  return memory;
}

// All three from allocate(), n numbers each; n is at least 1.
void zero_copy(float* a, float* b, float* c, int n) {
  // SOLUTION BEGIN: cudaHostGetDevicePointer(&dev_a, a, 0)
  //? after the launch: cudaDeviceSynchronize(), or the host reads c before it is written
  float *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_a, a, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_b, b, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_c, c, 0));
  add<<<(n + 127) / 128, 128>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());
  //| (void)a, (void)b, (void)c, (void)n;  // remove this line
  // SOLUTION END
}
