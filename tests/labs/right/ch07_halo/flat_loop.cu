#include "book.h"

constexpr int kSide = 16;
constexpr int kWide = kSide + 2;

__device__ float cell(const float* plate, int x, int y, int width, int height) {
  x = min(max(x, 0), width - 1);
  y = min(max(y, 0), height - 1);
  return plate[y * width + x];
}

__global__ void step(const float* in, float* out, int width, int height, float speed) {
  __shared__ float tile[kWide * kWide];
  const int left = blockIdx.x * kSide - 1, top = blockIdx.y * kSide - 1;
  // all 256 threads load 324 cells in two rounds
  for (int k = threadIdx.y * kSide + threadIdx.x; k < kWide * kWide; k += kSide * kSide)
    tile[k] = cell(in, left + k % kWide, top + k / kWide, width, height);
  __syncthreads();
  const int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* own = &tile[(threadIdx.y + 1) * kWide + threadIdx.x + 1];
  out[y * width + x] = *own + speed * (own[-kWide] + own[kWide] + own[-1] + own[1] - 4 * *own);
}

void halo(const float* in, float* out, int width, int height, float speed) {
  const size_t bytes = sizeof(float) * width * height;
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, bytes, cudaMemcpyHostToDevice));
  const dim3 blocks((width + kSide - 1) / kSide, (height + kSide - 1) / kSide);
  step<<<blocks, dim3(kSide, kSide)>>>(dev_in, dev_out, width, height, speed);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
}
