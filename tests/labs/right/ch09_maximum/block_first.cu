#include <limits>
#include "book.h"

template <typename Integer, typename Better>
__device__ void atomic_update(Integer* word, Integer wanted, Better better) {
  for (Integer seen = atomicCAS(word, Integer(0), Integer(0)); better(wanted, seen);) {
    const Integer found = atomicCAS(word, seen, wanted);
    if (found == seen) break;
    seen = found;
  }
}

__device__ void atomic_maximum(float* largest, float value) {
  atomic_update(reinterpret_cast<int*>(largest), __float_as_int(value),
                [](int a, int b) { return __int_as_float(a) > __int_as_float(b); });
}

__global__ void find(const float* data, int n, float* largest) {
  float own = -std::numeric_limits<float>::infinity();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) own = fmaxf(own, data[i]);
  for (int lanes = 16; lanes >= 1; lanes >>= 1) own = fmaxf(own, __shfl_xor_sync(~0u, own, lanes));
  if (threadIdx.x % warpSize == 0) atomic_maximum(largest, own);
}

float maximum(const float* data, int n) {
  float *dev_data, *dev_largest;
  float largest = data[0];
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
