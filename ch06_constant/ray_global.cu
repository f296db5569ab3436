// Traces rays through spheres that are in global memory.
//
// Section 6.2.2 of the book. What to look at: each thread follows the ray of one pixel and tests
// each sphere. The nearest sphere that the ray hits gives the color. All threads read all spheres
// in the same order. ray_constant uses that.
//
//   ./course run ray_global                    a window; Esc leaves
//   ./course run ray_global --save rays.png    a file

#include <vector>

#include "../common/handle_error.h"
#include "ray_program.h"

// One thread per pixel.
__global__ void ray(const Sphere* spheres, int count, uchar4* rgba, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  rgba[size_t(y) * size + x] = trace(spheres, count, x, y, size);
}

// Draws size x size RGBA pixels on the device.
void ray_trace(const std::vector<Sphere>& spheres, unsigned char* rgba, int size) {
  if (size == 0) return;
  const int count = static_cast<int>(spheres.size());
  const size_t bytes = 4 * size_t(size) * size;
  Sphere* dev_spheres;
  uchar4* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_spheres, count * sizeof(Sphere)));
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  HANDLE_ERROR(
      cudaMemcpy(dev_spheres, spheres.data(), count * sizeof(Sphere), cudaMemcpyHostToDevice));

  const unsigned tiles = (size + kTile - 1) / kTile;
  ray<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(dev_spheres, count, dev_rgba, size);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
  HANDLE_ERROR(cudaFree(dev_spheres));
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  return ray_program(argc, argv, "Draws spheres, which are in global memory.", ray_trace);
}
