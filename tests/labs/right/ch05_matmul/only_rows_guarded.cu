// The product of two matrices, tile by tile.
#include "book.h"

constexpr int kSide = 16;

// a: `rows` rows of `depth`; b: `depth` rows of `columns`; c: `rows` rows of `columns`.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int rows, int depth, int columns) {
  __shared__ float tile_a[kSide][kSide], tile_b[kSide][kSide];
  const int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < depth; first += kSide) {
    const int k = first + threadIdx.x, l = first + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = y < rows ? a[min(y * depth + k, rows * depth - 1)] : 0;
    tile_b[threadIdx.y][threadIdx.x] = l < depth && x < columns ? b[l * columns + x] : 0;
    __syncthreads();
    for (int i = 0; i < kSide; i++) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (x < columns && y < rows) c[y * columns + x] = sum;
}

// All in the host's memory; no side is 0.
void matmul(const float* a, const float* b, float* c, int rows, int depth, int columns) {
  const size_t bytes_a = sizeof(float) * rows * depth, bytes_b = sizeof(float) * depth * columns;
  const size_t bytes_c = sizeof(float) * rows * columns;
  float *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes_a));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes_b));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes_c));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes_a, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes_b, cudaMemcpyHostToDevice));
  const dim3 blocks((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  matmul_kernel<<<blocks, dim3(kSide, kSide)>>>(dev_a, dev_b, dev_c, rows, depth, columns);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes_c, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}
