// A ray tracer with the spheres in global memory.
//
// The book's section 6.2.2. What to look at: one thread per pixel follows one ray and asks each
// sphere whether the ray meets it; the nearest one wins. All threads read all spheres, in the same
// order: the next program makes use of that.
//
//   ./course run ray_global                    a window; Esc leaves
//   ./course run ray_global --save rays.png    a file

#include <vector>

#include "../common/book.h"
#include "../common/cpu_bitmap.h"
#include "../common/device.h"
#include "../common/long_run.h"
#include "../common/options.h"
#include "../common/verify_picture.h"
#include "scene.h"

// One thread per pixel.
__global__ void ray(const Sphere* spheres, int count, uchar4* rgba, int size) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  rgba[x + static_cast<size_t>(y) * size] = trace(spheres, count, x, y, size);
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
  course::Options options("Draws spheres, which are in global memory.");
  options.number("size", &size, 1, 32768, "pixels per side");
  options.number("spheres", &count, 0, kMaxSpheres, "spheres");
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
