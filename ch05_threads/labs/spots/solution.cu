// Spots of light: each thread shows what the thread in the opposite corner of its block computed.
#include "book.h"

constexpr int kSide = 16;

__global__ void spots_kernel(int* picture, int width) {
  __shared__ int light[kSide][kSide];
  const int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y;
  light[threadIdx.y][threadIdx.x] = (x * x + 7 * y) % 251 + 1;
  // SOLUTION BEGIN, unmarked: a thread reads what another thread writes. What makes sure that the write comes first?
  __syncthreads();
  // SOLUTION END
  picture[y * width + x] = light[kSide - 1 - threadIdx.y][kSide - 1 - threadIdx.x];
}

// columns * kSide by rows * kSide pixels, in the host's memory.
void spots(int* picture, int columns, int rows) {
  const int width = columns * kSide;
  const size_t bytes = sizeof(int) * width * rows * kSide;
  int* dev_picture;
  HANDLE_ERROR(cudaMalloc(&dev_picture, bytes));
  spots_kernel<<<dim3(columns, rows), dim3(kSide, kSide)>>>(dev_picture, width);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(picture, dev_picture, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_picture));
}
