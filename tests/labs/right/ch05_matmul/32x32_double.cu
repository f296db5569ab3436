#include "book.h"

template <int Side>
__global__ void __launch_bounds__(Side * Side)
matmul_kernel(const float* a, const float* b, float* c, int rows, int depth, int columns) {
  __shared__ float tile_a[Side][Side], tile_b[Side][Side];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * Side + tx, y = blockIdx.y * Side + ty;
  double sum = 0;
  const int tiles = (depth + Side - 1) / Side;
  for (int t = 0; t < tiles; ++t) {
    const int ka = t * Side + tx, kb = t * Side + ty;
    tile_a[ty][tx] = (y < rows && ka < depth) ? a[size_t(y) * depth + ka] : 0.f;
    tile_b[ty][tx] = (x < columns && kb < depth) ? b[size_t(kb) * columns + x] : 0.f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Side; ++k) sum = fma(double(tile_a[ty][k]), double(tile_b[k][tx]), sum);
    __syncthreads();
  }
  if (x < columns && y < rows) c[size_t(y) * columns + x] = sum;
}

void matmul(const float* a, const float* b, float* c, int rows, int depth, int columns) {
  const size_t bytes_a = sizeof(float) * rows * depth, bytes_b = sizeof(float) * depth * columns;
  const size_t bytes_c = sizeof(float) * rows * columns;
  float *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes_a));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes_b));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes_c));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes_a, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes_b, cudaMemcpyHostToDevice));
  constexpr int kSide = 32;
  const dim3 blocks((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  matmul_kernel<kSide><<<blocks, dim3(kSide, kSide)>>>(dev_a, dev_b, dev_c, rows, depth, columns);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes_c, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}
