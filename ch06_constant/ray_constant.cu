// A ray tracer with the spheres in constant memory.
//
// The book's section 6.2.3. What to look at: `__constant__` makes an array of a fixed size that
// kernels can only read; there is no cudaMalloc, and cudaMemcpyToSymbol fills it. When all threads
// of a warp read the same element, as they do here, one read serves them all. The kernel has lost a
// parameter; nothing else has changed.
//
//   ./course run ray_constant                    a window; Esc leaves
//   ./course run ray_constant --save rays.png    a file

#include <vector>

#include "../common/book.h"
#include "../common/cpu_bitmap.h"
#include "../common/device.h"
#include "../common/long_run.h"
#include "../common/options.h"
#include "../common/verify_picture.h"
#include "scene.h"

__constant__ Sphere constant_spheres[kMaxSpheres];

// One thread per pixel.
__global__ void ray(int count, uchar4* rgba, int size) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  rgba[x + static_cast<size_t>(y) * size] = trace(constant_spheres, count, x, y, size);
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

// About how long main() takes: a picture by the device, and one by the CPU.
double estimate_s(const std::vector<Sphere>& spheres, int size) {
  return course::estimate_picture_s(size, [&](int part) {
    std::vector<unsigned char> rgba(4 * size_t(part) * part);
    ray_trace(spheres, rgba.data(), part);
    ray_reference(spheres, part);
  });
}

int main(int argc, char** argv) {
  int size = 1024, count = 20;
  course::Options options("Draws spheres, which are in constant memory.");
  options.number("size", &size, 1, 32768, "pixels per side");
  options.number("spheres", &count, 0, kMaxSpheres, "spheres, as many as 64 KB hold");
  options.picture();
  options.parse(argc, argv);
  const double bytes = 4.0 * size * size;
  course::require_memory(bytes, 2 * bytes);

  const std::vector<Sphere> spheres = random_spheres(count);
  course::LongRun long_run(estimate_s(spheres, size), 3 * bytes);
  CPUBitmap bitmap(size, size);
  ray_trace(spheres, bitmap.get_ptr(), size);
  const std::vector<unsigned char> expected = ray_reference(spheres, size);
  long_run.done();

  printf("%s, %d x %d pixels on %s\n", course::count_of(count, "sphere").c_str(), size, size,
         course::device_name().c_str());
  if (!course::verify_picture(bitmap.get_ptr(), expected.data(), size, size))
    return course::kExitWrong;
  bitmap.display_and_exit();
  return 0;
}
