// Sums an array with shuffles: lanes of a warp add without shared memory and without barriers.
// Topic: warps
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kThreads = 256, kWarps = kThreads / 32;

// The sum over a warp, in its lane 0: each lane adds what the lane `offset` places further holds.
__device__ float warp_sum(float sum) {
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  return sum;
}

// Each block stores the sum of its elements in partial[blockIdx.x].
__global__ void sum_kernel(const float* data, int n, float* partial) {
  __shared__ float warp_sums[kWarps];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += data[i];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = warp_sum(sum);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();  // the only barrier
  if (warp == 0) sum = warp_sum(lane < kWarps ? warp_sums[lane] : 0);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// Returns the sum of n elements.
float sum(const float* data, int n) {
  const int blocks = 16;
  float partial[blocks], *dev_data, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, sizeof(partial)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n * sizeof(float), cudaMemcpyHostToDevice));
  sum_kernel<<<blocks, kThreads>>>(dev_data, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(partial, dev_partial, sizeof(partial), cudaMemcpyDeviceToHost));
  cudaFree(dev_data);
  cudaFree(dev_partial);
  float total = 0;
  for (float part : partial) total += part;
  return total;
}

int main() {
  const std::vector<float> data(10007, 2.0f);
  const float total = sum(data.data(), 10007);
  printf("sum: %g\n", total);
  return total == 20014 ? 0 : 1;
}
