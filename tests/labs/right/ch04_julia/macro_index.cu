#include "book.h"

#define SIDE 16
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define INDEX(x, y, w) ((y) * (w) + (x))

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

__global__ void julia_kernel(unsigned char* inside, int width, int height, float c_real, float c_imaginary) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
      inside[INDEX(x, y, width)] = belongs(x, y, width, height, c_real, c_imaginary) ? 1 : 0;
}

void julia(unsigned char* inside, int width, int height, float c_real, float c_imaginary) {
  unsigned char* dev_inside;
  HANDLE_ERROR(cudaMalloc((void**)&dev_inside, width * height));
  dim3 threads(SIDE, SIDE);
  dim3 blocks(CEIL_DIV(width, 2 * SIDE), CEIL_DIV(height, 2 * SIDE));
  julia_kernel<<<blocks, threads>>>(dev_inside, width, height, c_real, c_imaginary);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(inside, dev_inside, width * height, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_inside));
}
