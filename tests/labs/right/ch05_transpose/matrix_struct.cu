#include <cooperative_groups.h>
#include "book.h"

using namespace cooperative_groups;

constexpr int kSide = 16;

template <typename Element>
struct Matrix {
  Element* data;
  int rows, columns;
  __device__ bool has(int row, int column) const { return row < rows && column < columns; }
  __device__ Element& operator()(int row, int column) const { return data[row * columns + column]; }
};

__global__ void transpose_kernel(Matrix<const float> in, Matrix<float> out) {
  __shared__ float tile[kSide][kSide + 1];
  const thread_block block = this_thread_block();
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kSide, column = blockIdx.x * kSide;
  tile[ty][tx] = in.has(row + ty, column + tx) ? in(row + ty, column + tx) : 0.0f;
  block.sync();
  if (!out.has(column + ty, row + tx)) return;
  out(column + ty, row + tx) = tile[tx][ty];
}

void transpose(const float* in, float* out, int rows, int columns) {
  const size_t bytes = sizeof(float) * rows * columns;
  float *dev_in, *dev_out;
  cudaStream_t stream;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  HANDLE_ERROR(cudaMallocAsync(&dev_in, bytes, stream));
  HANDLE_ERROR(cudaMallocAsync(&dev_out, bytes, stream));
  HANDLE_ERROR(cudaMemcpyAsync(dev_in, in, bytes, cudaMemcpyHostToDevice, stream));
  const dim3 blocks((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  transpose_kernel<<<blocks, dim3(kSide, kSide), 0, stream>>>({dev_in, rows, columns}, {dev_out, columns, rows});
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpyAsync(out, dev_out, bytes, cudaMemcpyDeviceToHost, stream));
  HANDLE_ERROR(cudaFreeAsync(dev_in, stream));
  HANDLE_ERROR(cudaFreeAsync(dev_out, stream));
  HANDLE_ERROR(cudaStreamSynchronize(stream));
  HANDLE_ERROR(cudaStreamDestroy(stream));
}
