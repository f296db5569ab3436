// lanes with the same byte elect one of them
#include "book.h"

constexpr int kBins = 256;

__global__ void count(const unsigned char* data, int n, unsigned* bins) {
  __shared__ unsigned hist[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) hist[b] = 0;
  __syncthreads();
  const int stride = blockDim.x * gridDim.x;
  for (int base = blockIdx.x * blockDim.x; base < n; base += stride) {
    const int i = base + threadIdx.x;
    const bool active = i < n;
    const unsigned mask = __ballot_sync(0xffffffffu, active);
    if (active) {
      const int value = data[i];
      const unsigned same = __match_any_sync(mask, value);
      const int leader = __ffs(same) - 1;
      if ((threadIdx.x & 31) == leader) atomicAdd(&hist[value], __popc(same));
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&bins[b], hist[b]);
}

void histogram(const unsigned char* data, int n, unsigned* bins) {
  unsigned char* dev_data;
  unsigned* dev_bins;
  HANDLE_ERROR(cudaMalloc(&dev_data, n > 0 ? n : 1));
  HANDLE_ERROR(cudaMalloc(&dev_bins, kBins * sizeof(unsigned)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_bins, 0, kBins * sizeof(unsigned)));
  count<<<2, 512>>>(dev_data, n, dev_bins);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(bins, dev_bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_bins));
}
