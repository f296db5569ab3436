#include "book.h"

__device__ unsigned char level(float number) { return __float2uint_rn(__saturatef(number) * 255.0f); }

__global__ void to_pixels(const float* field, uchar4* pixels, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int from_top = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && from_top < height) {
    const float number = *(field + from_top * width + column);
    uchar4 pixel;
    pixel.x = number > 0 ? level(number) : 0;
    pixel.y = 0;
    pixel.z = number < 0 ? level(fabs(number)) : 0;
    pixel.w = 0xFF;
    *(pixels + (height - from_top - 1) * width + column) = pixel;
  }
}

void rows(const float* field, uchar4* pixels, int width, int height) {
  const dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
  to_pixels<<<blocks, threads>>>(field, pixels, width, height);
  HANDLE_ERROR(cudaGetLastError());
}
