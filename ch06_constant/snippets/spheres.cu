// Draws spheres that are in constant memory: all threads read the same sphere at the same time.
// Topic: constant memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

struct Sphere {
  float r, g, b;  // color, 0 to 1
  float radius, x, y, z;
};
__constant__ Sphere spheres[100];

// The color of the nearest sphere that the ray through (ray_x, ray_y) hits, darker at its edge.
__device__ uchar4 trace(int count, float ray_x, float ray_y) {
  float r = 0, g = 0, b = 0, nearest = -2e10f;
  for (int i = 0; i < count; i++) {
    const Sphere& sphere = spheres[i];
    const float dx = ray_x - sphere.x, dy = ray_y - sphere.y;
    const float squared = sphere.radius * sphere.radius - dx * dx - dy * dy;
    if (squared <= 0 || sphere.z + sqrtf(squared) <= nearest) continue;
    nearest = sphere.z + sqrtf(squared);
    const float facing = 255 * sqrtf(squared) / sphere.radius;  // 255 in the middle, 0 at the edge
    r = sphere.r * facing, g = sphere.g * facing, b = sphere.b * facing;
  }
  return make_uchar4(r, g, b, 255);
}

__global__ void ray(int count, uchar4* pixels, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < size && y < size) pixels[y * size + x] = trace(count, x - size / 2, y - size / 2);
}

void draw(const std::vector<Sphere>& scene, uchar4* pixels, int size) {
  uchar4* dev_pixels;
  const size_t bytes = size * size * sizeof(uchar4);
  HANDLE_ERROR(cudaMalloc(&dev_pixels, bytes));
  HANDLE_ERROR(cudaMemcpyToSymbol(spheres, scene.data(), scene.size() * sizeof(Sphere)));
  const dim3 threads(16, 16), blocks((size + 15) / 16, (size + 15) / 16);
  ray<<<blocks, threads>>>(scene.size(), dev_pixels, size);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(pixels, dev_pixels, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_pixels));
}

int main() {
  std::vector<uchar4> pixels(100 * 100);
  draw({{1, 0, 0, 30, 0, 0, 0}, {0, 1, 0, 10, 0, 0, 50}}, pixels.data(), 100);
  const uchar4 middle = pixels[50 * 100 + 50], side = pixels[50 * 100 + 70];
  printf("middle: green %d, 20 pixels to the right: red %d\n", middle.y, side.x);
  return middle.y == 255 && side.x > 150 && side.y == 0 && pixels[0].x == 0 ? 0 : 1;
}
