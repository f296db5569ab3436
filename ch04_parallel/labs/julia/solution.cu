// Which pixels belong to a Julia set: a grid of blocks of 16 x 16 threads, one thread per pixel.
#include "book.h"

constexpr int kSide = 16;

// Whether the point of pixel (x, y) stays near 0 under z = z * z + c.
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

__global__ void julia_kernel(unsigned char* inside, int width, int height, float c_real,
                             float c_imaginary) {
  // SOLUTION BEGIN: x = blockIdx.x * blockDim.x + threadIdx.x; y is the same with .y
  //? return if x >= width or y >= height. The pixel's index is y * width + x
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  inside[y * width + x] = belongs(x, y, width, height, c_real, c_imaginary);
  //| const int x = 0, y = 0;
  //| inside[0] = belongs(x, y, width, height, c_real, c_imaginary);
  // SOLUTION END
}

// inside: width * height bytes in the host's memory, row after row; both at least 1.
void julia(unsigned char* inside, int width, int height, float c_real, float c_imaginary) {
  unsigned char* dev_inside;
  const size_t bytes = static_cast<size_t>(width) * height;
  HANDLE_ERROR(cudaMalloc(&dev_inside, bytes));
  const dim3 threads(kSide, kSide);
  // SOLUTION BEGIN: dim3 blocks(columns of blocks, rows of blocks), each rounded up
  const dim3 blocks((width + kSide - 1) / kSide, (height + kSide - 1) / kSide);
  //| const dim3 blocks(1, 1);
  // SOLUTION END
  julia_kernel<<<blocks, threads>>>(dev_inside, width, height, c_real, c_imaginary);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(inside, dev_inside, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_inside));
}
