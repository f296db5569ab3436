// Traces rays through spheres in constant memory, and measures the time with events.
//
// Section 6.3.1 of the book. What to look at: the time, compared with ray_global_timed. In the book
// constant memory is 50 % faster. README.md shows what is left of that with today's caches.
//
//   ./course run ray_constant_timed
//   ./course run ray_constant_timed --size 4096 --spheres 2340

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

// Draws size x size RGBA pixels on the device, and returns the kernel's time in milliseconds;
// kMaxSpheres spheres at most.
float ray_trace(const std::vector<Sphere>& spheres, unsigned char* rgba, int size) {
  if (size == 0) return 0;
  const int count = static_cast<int>(spheres.size());
  const size_t bytes = 4 * size_t(size) * size;
  uchar4* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_spheres, spheres.data(), count * sizeof(Sphere)));

  cudaEvent_t start, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));
  const unsigned tiles = (size + kTile - 1) / kTile;
  HANDLE_ERROR(cudaEventRecord(start));
  ray<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(count, dev_rgba, size);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(stop));

  HANDLE_ERROR(cudaEventSynchronize(stop));  // before this, the time is unknown
  float kernel_ms = 0;
  HANDLE_ERROR(cudaEventElapsedTime(&kernel_ms, start, stop));
  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));

  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
  return kernel_ms;
}

// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  return ray_program_timed(argc, argv, "Draws spheres, which are in constant memory.", ray_trace);
}
