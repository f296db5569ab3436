// Waves on water, as pixels for OpenGL.
#include "book.h"

// 1 to 253, depending on the distance to the middle of the picture and on the time.
__device__ unsigned char brightness(int x, int y, int width, int height, int time) {
  const float from_middle_x = x - width / 2.0f, from_middle_y = y - height / 2.0f;
  const float distance = sqrtf(from_middle_x * from_middle_x + from_middle_y * from_middle_y);
  return static_cast<unsigned char>(
      127.0f + 126.0f * cosf(distance / 10.0f - time / 7.0f) / (distance / 10.0f + 1.0f));
}

__global__ void ripple_kernel(uchar4* pixels, int width, int height, int time) {
  // SOLUTION BEGIN: as in ch04_julia: x and y, a guard, and the index y * width + x
  //? pixels[y * width + x] = make_uchar4(grey, grey, grey, 255)
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned char grey = brightness(x, y, width, height, time);
  pixels[y * width + x] = make_uchar4(grey, grey, grey, 255);
  //| if (threadIdx.x + threadIdx.y == 0) pixels[0].x = brightness(0, 0, width, height, time);
  // SOLUTION END
}

// pixels: width * height of them in the device's memory, as the mapped buffer of OpenGL is.
void draw(uchar4* pixels, int width, int height, int time) {
  const dim3 threads(16, 16);
  // SOLUTION BEGIN: round up in both dimensions
  const dim3 blocks((width + 15) / 16, (height + 15) / 16);
  //| const dim3 blocks(1, 1);
  // SOLUTION END
  ripple_kernel<<<blocks, threads>>>(pixels, width, height, time);
  HANDLE_ERROR(cudaGetLastError());
}
