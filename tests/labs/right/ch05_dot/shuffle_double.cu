#include <numeric>
#include <vector>

#include "book.h"

constexpr int kThreads = 256;
constexpr int kBlocks = 6;

__device__ inline double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void dot_kernel(const float* a, const float* b, int n, double* partial) {
  __shared__ double warps[kThreads / 32];
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += static_cast<double>(a[i]) * b[i];
  sum = warp_sum(sum);
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < kThreads / 32 ? warps[lane] : 0.0;
    sum = warp_sum(sum);
    if (lane == 0) partial[blockIdx.x] = sum;
  }
}

float dot(const float* a, const float* b, int n) {
  float *dev_a, *dev_b;
  double* dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, kBlocks * sizeof(double)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));
  dot_kernel<<<kBlocks, kThreads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<double> partial(kBlocks);
  HANDLE_ERROR(cudaMemcpy(partial.data(), dev_partial, kBlocks * sizeof(double), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  return static_cast<float>(std::accumulate(partial.begin(), partial.end(), 0.0));
}
