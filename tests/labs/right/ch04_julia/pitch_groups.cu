#include <cooperative_groups.h>
#include "book.h"

namespace cg = cooperative_groups;
constexpr int kSide = 16;

struct Complex {
  float re, im;
  __device__ Complex(float r, float i) : re(r), im(i) {}
  __device__ float norm2() const { return re * re + im * im; }
  __device__ Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  __device__ Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
};

__device__ bool belongs(int x, int y, int width, int height, float c_real, float c_imaginary) {
  float real = 1.5f * (width / 2.0f - x) / (width / 2.0f);
  float imaginary = 1.5f * (height / 2.0f - y) / (height / 2.0f);
  for (int i = 0; i < 200; i++) {
    const float next = real * real - imaginary * imaginary + c_real;
    imaginary = 2 * real * imaginary + c_imaginary;
    real = next;
    if (real * real + imaginary * imaginary > 1000) return false;
  }
  return true;
}

__global__ void julia_kernel(unsigned char* inside, size_t pitch, int width, int height, float c_real, float c_imaginary) {
  auto block = cg::this_thread_block();
  const dim3 group = block.group_index(), own = block.thread_index();
  const int x = group.x * kSide + own.x;
  const int y = group.y * kSide + own.y;
  if (x >= width) return;
  if (y >= height) return;
  unsigned char* row = inside + y * pitch;
  row[x] = belongs(x, y, width, height, c_real, c_imaginary);
}

void julia(unsigned char* inside, int width, int height, float c_real, float c_imaginary) {
  unsigned char* dev;
  size_t pitch;
  HANDLE_ERROR(cudaMallocPitch(&dev, &pitch, width, height));
  julia_kernel<<<dim3((width + kSide - 1) / kSide, (height + kSide - 1) / kSide), dim3(kSide, kSide)>>>(dev, pitch, width, height, c_real, c_imaginary);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy2D(inside, width, dev, pitch, width, height, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev));
}
