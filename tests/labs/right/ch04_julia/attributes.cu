#include <cassert>
#include <cmath>
#include "book.h"

constexpr int kSide = 16;
static_assert(kSide * kSide <= 1024, "too many threads");

struct Picture {
  int width = 0, height = 0;
  [[nodiscard]] __host__ __device__ constexpr bool contains(int x, int y) const noexcept {
    return x < width && y < height;
  }
};
struct Point { float real, imaginary; };

__device__ __noinline__ bool belongs(int x, int y, int width, int height, float c_real, float c_imaginary) {
  float real = 1.5f * (width / 2.0f - x) / (width / 2.0f);
  float imaginary = 1.5f * (height / 2.0f - y) / (height / 2.0f);
#pragma unroll 4
  for (int i = 0; i < 200; i++) {
    const float next = real * real - imaginary * imaginary + c_real;
    imaginary = 2 * real * imaginary + c_imaginary;
    real = next;
    if (real * real + imaginary * imaginary > 1000) return false;
  }
  return true;
}

__global__ void julia_kernel(unsigned char* inside, Picture picture, Point c) {
  assert(blockDim.x == kSide && blockDim.y == kSide);
  const auto [width, height] = picture;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const auto put = [&](bool value) { inside[size_t(y) * width + x] = static_cast<unsigned char>(value); };
  if (picture.contains(x, y)) put(belongs(x, y, width, height, c.real, c.imaginary));
}

void julia(unsigned char* inside, int width, int height, float c_real, float c_imaginary) {
  unsigned char* dev_inside;
  const size_t bytes = static_cast<size_t>(width) * height;
  HANDLE_ERROR(cudaMalloc(&dev_inside, bytes));
  const dim3 threads(kSide, kSide);
  // bool division works too
  const dim3 blocks(width / kSide + (width % kSide != 0), height / kSide + !!(height % kSide));
  assert(blocks.x > 0 && blocks.y > 0);
  julia_kernel<<<blocks, threads>>>(dev_inside, Picture{width, height}, Point{c_real, c_imaginary});
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(inside, dev_inside, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_inside));
}
