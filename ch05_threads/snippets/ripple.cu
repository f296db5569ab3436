// Draws a frame of waves on water: one thread per pixel, in tiles of 16 x 16 threads.
// Topic: pictures
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// The gray of pixel (x, y) at a time: a cosine that runs outwards and becomes flatter.
__device__ unsigned char ripple_gray(int x, int y, int size, int ticks) {
  const float dx = x - size / 2, dy = y - size / 2;
  const float distance = sqrtf(dx * dx + dy * dy);
  const float wave = cosf(distance / 10 - ticks / 7.0f);
  return static_cast<unsigned char>(128 + 127 * wave / (distance / 10 + 1));
}

__global__ void ripple(uchar4* pixels, int size, int ticks) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const unsigned char gray = ripple_gray(x, y, size, ticks);
  pixels[y * size + x] = make_uchar4(gray, gray, gray, 255);
}

// Draws one frame, size x size RGBA pixels.
void ripple_frame(uchar4* pixels, int size, int ticks) {
  uchar4* dev_pixels;
  HANDLE_ERROR(cudaMalloc(&dev_pixels, size * size * sizeof(uchar4)));
  const dim3 threads(16, 16), blocks((size + 15) / 16, (size + 15) / 16);
  ripple<<<blocks, threads>>>(dev_pixels, size, ticks);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(
      cudaMemcpy(pixels, dev_pixels, size * size * sizeof(uchar4), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_pixels));
}

int main() {
  const int size = 100;
  std::vector<uchar4> pixels(size * size);
  ripple_frame(pixels.data(), size, 0);
  const int middle = pixels[50 * size + 50].x, left = pixels[50 * size].x;
  printf("gray in the middle: %d, at the edge: %d\n", middle, left);
  return middle == 255 && left > 100 && left < 160 ? 0 : 1;
}
