// Draws a Julia set: one thread per pixel, in blocks of 16 x 16 threads.
// Topic: pictures
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// Whether z = z * z + c stays near 0 for 200 steps, if it starts at x + yi.
__host__ __device__ bool in_julia_set(float x, float y) {
  for (int step = 0; step < 200; step++) {
    const float next_x = x * x - y * y - 0.8f;
    y = 2 * x * y + 0.156f;
    x = next_x;
    if (x * x + y * y > 1000) return false;
  }
  return true;
}

// Pixels are RGBA: red in the set, black outside. The picture shows -1.5 to 1.5.
__global__ void draw(uchar4* pixels, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;  // beyond the edge of the picture
  const float scale = 3.0f / size;
  const bool inside = in_julia_set(scale * x - 1.5f, scale * y - 1.5f);
  pixels[y * size + x] = make_uchar4(inside ? 255 : 0, 0, 0, 255);
}

// Draws size x size pixels on the device.
void julia(uchar4* pixels, int size) {
  uchar4* dev_pixels;
  HANDLE_ERROR(cudaMalloc(&dev_pixels, size * size * sizeof(uchar4)));
  const dim3 threads(16, 16), blocks((size + 15) / 16, (size + 15) / 16);  // rounded up
  draw<<<blocks, threads>>>(dev_pixels, size);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(
      cudaMemcpy(pixels, dev_pixels, size * size * sizeof(uchar4), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_pixels));
}

int main() {
  const int size = 300;
  std::vector<uchar4> pixels(size * size);
  julia(pixels.data(), size);
  int inside = 0;
  for (const uchar4& pixel : pixels) inside += pixel.x == 255;
  printf("%d of %d pixels are in the set\n", inside, size * size);
  return inside > 3000 && inside < 6000 && pixels[0].x == 0 ? 0 : 1;
}
