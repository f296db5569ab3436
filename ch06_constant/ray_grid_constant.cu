// Traces rays through spheres in a kernel argument: constant memory without a variable.
//
// Not in the book. Kernel arguments are passed through constant memory. __grid_constant__ (CUDA
// 11.7) promises that the kernel does not change an argument. Then the argument's address can be
// used without a copy for each thread. (A function that is inlined, as trace() is here, needs no
// copy either way.) What to look at: the launch passes the spheres. There is no variable that all
// launches share, and no cudaMemcpyToSymbol(). 145 spheres fit into 4 KB of arguments, the limit
// until CUDA 12.0. (Today it is 32,764 bytes.)
//
//   ./course run ray_grid_constant
//   ./course run ray_grid_constant --spheres 145 --save rays.png

#include <algorithm>
#include <vector>

#include "../common/handle_error.h"
#include "ray_program.h"

struct Scene {
  static constexpr int kMost = 145;  // all arguments together fit into 4096 bytes
  Sphere spheres[kMost];
  int count;
};

// One thread per pixel.
__global__ void ray(const __grid_constant__ Scene scene, uchar4* rgba, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  rgba[size_t(y) * size + x] = trace(scene.spheres, scene.count, x, y, size);
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
