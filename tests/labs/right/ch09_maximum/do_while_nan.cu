#include <math.h>
#include "book.h"

#define BITS_OF(type) __float_as_##type
#define FLOAT_OF(type) __##type##_as_float

// NaN means "nothing yet"
__device__ void atomic_maximum(float* largest, float value) {
  unsigned* word = (unsigned*)largest;
  unsigned expected, found = atomicCAS(word, 0u, 0u);
  do {
    expected = found;
    if (FLOAT_OF(uint)(expected) >= value) return;
    found = atomicCAS(word, expected, BITS_OF(uint)(value));
  } while (found != expected);
}

__global__ void find(const float* data, int n, float* largest) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomic_maximum(largest, data[i]);
}

float maximum(const float* data, int n) {
  float *dev_data, *dev_largest, largest;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_largest, sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_largest, 0xff, sizeof(float)));
  find<<<4, 128>>>(dev_data, n, dev_largest);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&largest, dev_largest, sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_largest));
  return largest;
}
