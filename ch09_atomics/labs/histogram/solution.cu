// How often each byte occurs.
#include "book.h"

constexpr int kBins = 256;  // and threads per block

__global__ void count(const unsigned char* data, int n, unsigned* bins) {
  // SOLUTION BEGIN: atomicAdd(&bins[data[i]], 1u) reads, adds and writes in one step
  //? __shared__ unsigned own[kBins]; own[threadIdx.x] = 0; __syncthreads(); then the loop counts there
  //? after another barrier: atomicAdd(&bins[threadIdx.x], own[threadIdx.x])
  __shared__ unsigned own[kBins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
  //| for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
  //|   bins[data[i]]++;
  // SOLUTION END
}

// data: n bytes; bins: 256 counts; in the host's memory.
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
