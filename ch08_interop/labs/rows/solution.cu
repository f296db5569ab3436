// A field of numbers becomes pixels, the lowest row first.
#include "book.h"

// 0 to 255 for 0 to 1, rounded; 0 below and 255 above.
__device__ unsigned char level(float number) {
  // SOLUTION BEGIN: fminf(fmaxf(number, 0.0f), 1.0f) is between 0 and 1
  //? to round, add 0.5f before the conversion
  return static_cast<unsigned char>(fminf(fmaxf(number, 0.0f), 1.0f) * 255.0f + 0.5f);
  //| return static_cast<unsigned char>(static_cast<int>(number * 255.0f));
  // SOLUTION END
}

// Red: what is above 0; blue: what is below 0; green: 0; alpha: 255.
__global__ void to_pixels(const float* field, uchar4* pixels, int width, int height) {
  // SOLUTION BEGIN: the number of field[y * width + x] goes to row height - 1 - y
  //? make_uchar4(level(number), 0, level(-number), 255)
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float number = field[y * width + x];
  pixels[(height - 1 - y) * width + x] = make_uchar4(level(number), 0, level(-number), 255);
  //| if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y > 0) return;
  //| pixels[0] = make_uchar4(level(field[0]), 0, 0, 255);
  // SOLUTION END
}

// Both in the device's memory, width * height of each.
void rows(const float* field, uchar4* pixels, int width, int height) {
  const dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
  to_pixels<<<blocks, threads>>>(field, pixels, width, height);
  HANDLE_ERROR(cudaGetLastError());
}
