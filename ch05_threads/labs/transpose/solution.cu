// Transposes a matrix through tiles in shared memory.
#include "book.h"

constexpr int kSide = 16;

// in: `rows` rows of `columns`; out: `columns` rows of `rows`.
__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kSide][kSide + 1];
  // SOLUTION BEGIN: tile[threadIdx.y][threadIdx.x] = in[y * columns + x], if that element exists
  //? every thread must reach the barrier. So no thread may return before it
  //? then x = blockIdx.y * kSide + threadIdx.x and y = blockIdx.x * kSide + threadIdx.y
  int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * kSide + threadIdx.x;
  y = blockIdx.x * kSide + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
  //| tile[threadIdx.y][threadIdx.x] = in[0];
  //| __syncthreads();
  //| if (rows + columns > 0) out[0] = tile[0][0];
  // SOLUTION END
}

// Both in the host's memory; at least one row and one column.
void transpose(const float* in, float* out, int rows, int columns) {
  const size_t bytes = sizeof(float) * rows * columns;
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, bytes, cudaMemcpyHostToDevice));
  const dim3 blocks((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  transpose_kernel<<<blocks, dim3(kSide, kSide)>>>(dev_in, dev_out, rows, columns);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
}
