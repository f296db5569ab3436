// Finds the largest element of an array: a tree of comparisons in each block.
// Topic: reductions
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kThreads = 256;  // a power of two

// Each block stores its largest element in partial[blockIdx.x].
__global__ void maximum_kernel(const float* data, int n, float* partial) {
  __shared__ float cache[kThreads];
  float largest = -FLT_MAX;  // for threads without elements
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    largest = fmaxf(largest, data[i]);
  cache[threadIdx.x] = largest;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      cache[threadIdx.x] = fmaxf(cache[threadIdx.x], cache[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

// Returns the largest of n > 0 elements.
float maximum(const float* data, int n) {
  const int blocks = 8;
  float partial[blocks], *dev_data, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, sizeof(partial)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n * sizeof(float), cudaMemcpyHostToDevice));
  maximum_kernel<<<blocks, kThreads>>>(dev_data, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(partial, dev_partial, sizeof(partial), cudaMemcpyDeviceToHost));
  cudaFree(dev_data);
  cudaFree(dev_partial);
  float largest = partial[0];
  for (float part : partial) largest = fmaxf(largest, part);
  return largest;
}

int main() {
  std::vector<float> data(5000);
  for (int i = 0; i < 5000; i++) data[i] = -20 - fabsf(i - 1234.0f);  // all are negative
  data[4321] = -7;
  const float largest = maximum(data.data(), 5000);
  printf("largest: %g\n", largest);
  return largest == -7 ? 0 : 1;
}
