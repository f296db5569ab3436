// Finds the largest of many floats with an atomic maximum built from compare-and-swap.
// Any missing atomic can be built this way: read, compute, swap if unchanged, else try again.
// Topic: atomics
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__device__ float atomic_max(float* address, float value) {
  unsigned int* word = reinterpret_cast<unsigned int*>(address);
  unsigned int found = atomicAdd(word, 0), expected;  // adding 0 is an atomic read
  do {
    expected = found;
    if (__uint_as_float(expected) >= value) break;  // nothing to do: saves most of the atomics
    found = atomicCAS(word, expected, __float_as_uint(value));
  } while (found != expected);  // another thread changed it first: try again with its value
  return __uint_as_float(found);
}

__global__ void largest_of(const float* data, int n, float* largest) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomic_max(largest, data[i]);
}

float largest(const float* data, int n) {
  float result = -INFINITY, *dev_data, *dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_result, sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_result, &result, sizeof(float), cudaMemcpyHostToDevice));
  largest_of<<<32, 256>>>(dev_data, n, dev_result);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&result, dev_result, sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_result));
  return result;
}

int main() {
  std::vector<float> data(10007);
  for (int i = 0; i < 10007; i++) data[i] = -1.5f - static_cast<float>(i * 37 % 10007);
  const float found = largest(data.data(), 10007);
  printf("largest %g, expected -1.5\n", found);
  return found == -1.5f ? 0 : 1;
}
