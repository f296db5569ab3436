#include <cstdio>
#include "book.h"

constexpr int kBins = 256;  // and threads per block
constexpr int kBlocks = 4;

__device__ unsigned partial[kBlocks][kBins];

__global__ void count(const unsigned char* data, int n) {
  __shared__ unsigned temp[kBins];
  temp[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int offset = blockDim.x * gridDim.x;
  while (i < n) {
    atomicInc(&temp[data[i]], 0xffffffffu);
    i += offset;
  }
  __syncthreads();
  partial[blockIdx.x][threadIdx.x] = temp[threadIdx.x];
}

__global__ void merge(unsigned* bins) {
  unsigned total = 0;
#pragma unroll
  for (int b = 0; b < kBlocks; b++) total += partial[b][threadIdx.x];
  bins[threadIdx.x] = total;
}

void histogram(const unsigned char* data, int n, unsigned* bins) {
  unsigned char* dev_data;
  unsigned* dev_bins;
  cudaEvent_t start, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));
  HANDLE_ERROR(cudaMalloc(&dev_data, n));
  HANDLE_ERROR(cudaMalloc(&dev_bins, kBins * sizeof(unsigned)));
  HANDLE_ERROR(cudaEventRecord(start, 0));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n, cudaMemcpyHostToDevice));
  count<<<kBlocks, kBins>>>(dev_data, n);
  merge<<<1, kBins>>>(dev_bins);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(bins, dev_bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaEventRecord(stop, 0));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  float elapsed;
  HANDLE_ERROR(cudaEventElapsedTime(&elapsed, start, stop));
  printf("Time to generate:  %3.1f ms\n", elapsed);
  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_bins));
}
