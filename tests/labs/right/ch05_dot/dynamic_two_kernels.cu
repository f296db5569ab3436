#include <cstdio>
#include <vector>

#include "book.h"

constexpr int kThreads = 64;
constexpr int kBlocks = 32;

template <unsigned Half>
__device__ void tree(float* cache) {
  if constexpr (Half > 0) {
    if (threadIdx.x < Half) cache[threadIdx.x] += cache[threadIdx.x + Half];
    __syncthreads();
    tree<Half / 2>(cache);
  }
}

__global__ void dot_kernel(const float* a, const float* b, int n, float* partial) {
  extern __shared__ float cache[];
  float temp = 0.0f;
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  while (tid < n) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[threadIdx.x] = temp;
  __syncthreads();
  tree<kThreads / 2>(cache);
  if (threadIdx.x == 0) partial[blockIdx.x] = *cache;
  //if (threadIdx.x == 0) printf("block %d: %f\n", blockIdx.x, *cache);
}

__global__ void sum_kernel(float* partial) {
  __shared__ float cache[kBlocks];
  cache[threadIdx.x] = partial[threadIdx.x];
  __syncthreads();
  tree<kBlocks / 2>(cache);
  if (!threadIdx.x) partial[0] = cache[0];
}

float dot(const float* a, const float* b, int n) {
  float *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMallocManaged(&dev_a, (n + 1) * sizeof(float)));
  HANDLE_ERROR(cudaMallocManaged(&dev_b, (n + 1) * sizeof(float)));
  HANDLE_ERROR(cudaMallocManaged(&dev_partial, kBlocks * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    dev_a[i] = a[i];
    dev_b[i] = b[i];
  }
  dot_kernel<<<kBlocks, kThreads, kThreads * sizeof(float)>>>(dev_a, dev_b, n, dev_partial);
  sum_kernel<<<1, kBlocks>>>(dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());
  float sum = dev_partial[0];
  printf("n = %d, sum = %f\n", n, sum);
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  return sum;
}
