// Traces rays through spheres in global memory, and measures the time with events.
//
// Section 6.3.1 of the book. What to look at: two events around the kernel measure how long it runs
// on the device. The host's clock measures everything, with copies and allocations. In the book the
// events enclose all of that, so they measure the copies more than the rays. Compare with
// ray_constant_timed, for the book's 20 spheres and for a scene that keeps a GPU busy:
//
//   ./course run ray_global_timed
//   ./course run ray_global_timed --size 4096 --spheres 2340

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

// Draws size x size RGBA pixels on the device, and returns the kernel's time in milliseconds.
float ray_trace(const std::vector<Sphere>& spheres, unsigned char* rgba, int size) {
  if (size == 0) return 0;
  const int count = static_cast<int>(spheres.size());
  const size_t bytes = 4 * size_t(size) * size;
  Sphere* dev_spheres;
  uchar4* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_spheres, count * sizeof(Sphere)));
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  HANDLE_ERROR(
      cudaMemcpy(dev_spheres, spheres.data(), count * sizeof(Sphere), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));
  const unsigned tiles = (size + kTile - 1) / kTile;
  HANDLE_ERROR(cudaEventRecord(start));
  ray<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(dev_spheres, count, dev_rgba, size);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(stop));

  HANDLE_ERROR(cudaEventSynchronize(stop));  // before this, the time is unknown
  float kernel_ms = 0;
  HANDLE_ERROR(cudaEventElapsedTime(&kernel_ms, start, stop));
  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));

  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
  HANDLE_ERROR(cudaFree(dev_spheres));
  return kernel_ms;
}

// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  return ray_program_timed(argc, argv, "Draws spheres, which are in global memory.", ray_trace);
}
