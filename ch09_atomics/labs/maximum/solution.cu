// The largest of many floats, with an atomic made of compare-and-swap.
#include <math.h>

#include "book.h"

// *largest = the larger one of *largest and value, in one step that nobody can disturb.
__device__ void atomic_maximum(float* largest, float value) {
  int* bits = reinterpret_cast<int*>(largest);
  // SOLUTION BEGIN: int seen = atomicCAS(bits, 0, 0) reads the current bits
  //? while (__int_as_float(seen) < value) { before = atomicCAS(bits, seen, __float_as_int(value)) ... }
  //? if before == seen, the exchange worked: leave the loop. Otherwise seen = before
  int seen = atomicCAS(bits, 0, 0);
  while (__int_as_float(seen) < value) {
    const int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen) break;
    seen = before;
  }
  //| if (__int_as_float(*bits) < value) *bits = __float_as_int(value);
  // SOLUTION END
}

__global__ void find(const float* data, int n, float* largest) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomic_maximum(largest, data[i]);
}

// The largest of n numbers in the host's memory, n at least 1.
float maximum(const float* data, int n) {
  float *dev_data, *dev_largest;
  // SOLUTION BEGIN: less than every number: -INFINITY, or one of the numbers themselves
  float largest = -INFINITY;
  //| float largest = 0;
  // SOLUTION END
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_largest, sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_largest, &largest, sizeof(float), cudaMemcpyHostToDevice));
  find<<<4, 128>>>(dev_data, n, dev_largest);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&largest, dev_largest, sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_largest));
  return largest;
}
