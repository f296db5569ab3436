// One step of heat on a plate, through tiles with a halo.
#include "book.h"

constexpr int kSide = 16;

// The temperature of a cell; of the nearest one if (x, y) lies beyond the plate.
__device__ float cell(const float* plate, int x, int y, int width, int height) {
  x = min(max(x, 0), width - 1);
  y = min(max(y, 0), height - 1);
  return plate[y * width + x];
}

__global__ void step(const float* in, float* out, int width, int height, float speed) {
  __shared__ float tile[kSide + 2][kSide + 2];
  const int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y;
  const int column = threadIdx.x + 1, row = threadIdx.y + 1;  // in the tile
  // SOLUTION BEGIN: tile[row][column] = cell(in, x, y, width, height), by every thread
  //? if (threadIdx.x == 0) tile[row][0] = cell(in, x - 1, y, ...); the other three sides are similar
  //? then __syncthreads(), outside of every branch
  tile[row][column] = cell(in, x, y, width, height);
  if (threadIdx.x == 0) tile[row][0] = cell(in, x - 1, y, width, height);
  if (threadIdx.x == kSide - 1) tile[row][kSide + 1] = cell(in, x + 1, y, width, height);
  if (threadIdx.y == 0) tile[0][column] = cell(in, x, y - 1, width, height);
  if (threadIdx.y == kSide - 1) tile[kSide + 1][column] = cell(in, x, y + 1, width, height);
  __syncthreads();
  //| tile[row][column] = cell(in, x, y, width, height);
  // SOLUTION END

  if (x >= width || y >= height) return;
  const float old = tile[row][column];
  // SOLUTION BEGIN: up is tile[row - 1][column]
  const float around = tile[row - 1][column] + tile[row + 1][column] + tile[row][column - 1] +
                       tile[row][column + 1];
  //| const float around = 4 * old;
  // SOLUTION END
  out[y * width + x] = old + speed * (around - 4 * old);
}

// width * height cells in the host's memory, both at least 1.
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
