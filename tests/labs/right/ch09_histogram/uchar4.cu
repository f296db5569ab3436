#include "book.h"

constexpr int kBins = 256;  // and threads per block

__global__ void count(const unsigned char* data, int n, unsigned* bins) {
  __shared__ unsigned local[kBins];
  local[threadIdx.x] = 0;
  __syncthreads();
  const uchar4* quads = reinterpret_cast<const uchar4*>(data);
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = blockDim.x * gridDim.x;
  for (int i = thread; i < n / 4; i += threads) {
    const uchar4 q = quads[i];
    atomicAdd(&local[q.x], 1u);
    atomicAdd(&local[q.y], 1u);
    atomicAdd(&local[q.z], 1u);
    atomicAdd(&local[q.w], 1u);
  }
  if (thread < n % 4) atomicAdd(local + data[n / 4 * 4 + thread], 1u);
  __syncthreads();
  if (local[threadIdx.x] != 0) atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
}

void histogram(const unsigned char* data, int n, unsigned* bins) {
  unsigned char* dev_data;
  unsigned* dev_bins;
  HANDLE_ERROR(cudaMalloc(&dev_data, n));
  HANDLE_ERROR(cudaMalloc(&dev_bins, kBins * sizeof(unsigned)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_bins, 0, kBins * sizeof(unsigned)));
  count<<<4, kBins>>>(dev_data, n, dev_bins);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(bins, dev_bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_bins));
}
