// Traces rays through spheres that are in constant memory.
//
// Section 6.2.3 of the book. What to look at: `__constant__` declares an array of a fixed size that
// kernels can only read. There is no cudaMalloc(). cudaMemcpyToSymbol() fills it. When all threads
// of a warp read the same element, as here, one access serves all of them. Compared with
// ray_global, the kernel has one parameter fewer. The rest of it is the same.
//
//   ./course run ray_constant                    a window; Esc leaves
//   ./course run ray_constant --save rays.png    a file

#include <vector>

#include "../common/handle_error.h"
#include "ray_program.h"

__constant__ Sphere constant_spheres[kMaxSpheres];

// One thread per pixel.
__global__ void ray(int count, uchar4* rgba, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  rgba[size_t(y) * size + x] = trace(constant_spheres, count, x, y, size);
}

// Draws size x size RGBA pixels on the device; kMaxSpheres spheres at most.
void ray_trace(const std::vector<Sphere>& spheres, unsigned char* rgba, int size) {
  if (size == 0) return;
  const int count = static_cast<int>(spheres.size());
  const size_t bytes = 4 * size_t(size) * size;
  uchar4* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_spheres, spheres.data(), count * sizeof(Sphere)));

  const unsigned tiles = (size + kTile - 1) / kTile;
  ray<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(count, dev_rgba, size);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  return ray_program(argc, argv, "Draws spheres, which are in constant memory.", ray_trace);
}
