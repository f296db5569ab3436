// The dot product of two vectors: each block adds up its share in a tree.
#include <vector>

#include "book.h"

constexpr int kThreads = 128;  // a power of two
constexpr int kBlocks = 6;

__global__ void dot_kernel(const float* a, const float* b, int n, float* partial) {
  __shared__ float cache[kThreads];
  // SOLUTION BEGIN: float sum = 0; then the loop of ch05_stride with sum += a[i] * b[i]
  //? cache[threadIdx.x] = sum; and then __syncthreads();
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  //| cache[threadIdx.x] = 0;
  // SOLUTION END

  // SOLUTION BEGIN: for (int half = kThreads / 2; half > 0; half /= 2)
  //? if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half]; after that if, the barrier
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
  //| if (threadIdx.x == 0) partial[blockIdx.x] = 0;
  // SOLUTION END
}

// The sum of a[i] * b[i], n elements each, in the host's memory.
float dot(const float* a, const float* b, int n) {
  float *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, kBlocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));
  dot_kernel<<<kBlocks, kThreads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<float> partial(kBlocks);
  HANDLE_ERROR(cudaMemcpy(partial.data(), dev_partial, kBlocks * sizeof(float),
                          cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  float sum = 0;
  for (float one : partial) sum += one;
  return sum;
}
