// The ray tracer with its spheres in the kernel's own argument: constant memory without a variable.
//
// Today, against ray_constant: a kernel's arguments have always come through constant memory, up to
// 4 KB of them. __grid_constant__ (2022) says that the kernel leaves one as it is; it may then be
// used by its address, without a copy for each thread. What to look at: the launch itself hands the
// spheres over; no variable that all launches share, no cudaMemcpyToSymbol, and 145 spheres at
// most, with their number.
//
//   ./course run ray_grid_constant
//   ./course run ray_grid_constant --spheres 145 --save rays.png

#include <algorithm>
#include <vector>

#include "../common/handle_error.h"
#include "ray_program.h"

struct Scene {
  static constexpr int kMost = 145;  // with the other arguments within 4096 bytes
  Sphere spheres[kMost];
  int count;
};

// One thread per pixel.
__global__ void ray(const __grid_constant__ Scene scene, uchar4* rgba, int size) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  rgba[x + static_cast<size_t>(y) * size] = trace(scene.spheres, scene.count, x, y, size);
}

// Draws size x size RGBA pixels on the device; Scene::kMost spheres at most.
void ray_trace(const std::vector<Sphere>& spheres, unsigned char* rgba, int size) {
  if (size == 0) return;
  const size_t bytes = 4 * size_t(size) * size;
  uchar4* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  Scene scene;
  scene.count = static_cast<int>(spheres.size());
  std::copy(spheres.begin(), spheres.end(), scene.spheres);

  const unsigned tiles = (size + kTile - 1) / kTile;
  ray<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(scene, dev_rgba, size);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  return ray_program(argc, argv, "Draws spheres, which are an argument of the kernel.", ray_trace,
                     Scene::kMost);
}
