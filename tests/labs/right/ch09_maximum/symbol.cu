#include <math.h>
#include <stdio.h>
#include "book.h"

__device__ float dev_largest;

__device__ void atomic_maximum(float* largest, float value) {
  int* bits = (int*)largest;
  int old = atomicAdd(bits, 0);
  while (value > __int_as_float(old)) {
    int assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value));
    if (old == assumed) {
      // printf("thread %d won\n", threadIdx.x);
      return;
    }
  }
}

__global__ void find(const float* data, int n) {
  const int total = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    atomic_maximum(&dev_largest, data[i]);
    i += total;
  }
}

float maximum(const float* data, int n) {
  float *d, largest = -HUGE_VALF;
  HANDLE_ERROR(cudaHostRegister((void*)data, n * sizeof(float), cudaHostRegisterMapped));
  HANDLE_ERROR(cudaHostGetDevicePointer((void**)&d, (void*)data, 0));
  HANDLE_ERROR(cudaMemcpyToSymbol(dev_largest, &largest, sizeof largest));
  find<<<1, 96>>>(d, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpyFromSymbol(&largest, dev_largest, sizeof largest));
  HANDLE_ERROR(cudaHostUnregister((void*)data));
  return largest;
}
