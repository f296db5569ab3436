// The ray tracer with its spheres in global memory, timed with events.
//
// The book's section 6.3.1. What to look at: two events around the kernel tell how long it ran on
// the device; the clock of the host tells how long all of it took, with the copies and allocations.
// The book's events enclose all of that, and so measure the copies more than the rays. Compare with
// ray_constant_timed, for the book's 20 spheres and for a scene that keeps a GPU busy:
//
//   ./course run ray_global_timed
//   ./course run ray_global_timed --size 4096 --spheres 2340

#include <vector>

#include "../common/book.h"
#include "../common/cpu_bitmap.h"
#include "../common/device.h"
#include "../common/long_run.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "../common/verify_picture.h"
#include "scene.h"

// One thread per pixel.
__global__ void ray(const Sphere* spheres, int count, uchar4* rgba, int size) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  rgba[x + static_cast<size_t>(y) * size] = trace(spheres, count, x, y, size);
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

  HANDLE_ERROR(cudaEventSynchronize(stop));  // the time is not known earlier
  float kernel_ms = 0;
  HANDLE_ERROR(cudaEventElapsedTime(&kernel_ms, start, stop));
  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));

  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
  HANDLE_ERROR(cudaFree(dev_spheres));
  return kernel_ms;
}

// About how long main() takes: a picture by the CPU, and several by the device.
double estimate_s(const std::vector<Sphere>& spheres, int size) {
  const double once_s = course::estimate_picture_s(size, [&](int part) {
    std::vector<unsigned char> rgba(4 * size_t(part) * part);
    ray_trace(spheres, rgba.data(), part);
  });
  return once_s + 1e-3 * course::measuring_ms(1e3 * once_s) +
         course::estimate_picture_s(size, [&](int part) { ray_reference(spheres, part); });
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
  long_run.hide();

  printf("%s, %d x %d pixels on %s\n", course::count_of(count, "sphere").c_str(), size, size,
         course::device_name().c_str());
  if (!course::verify_picture(bitmap.get_ptr(), expected.data(), size, size))
    return course::kExitWrong;

  std::vector<double> kernel_ms;
  const double end_to_end_ms = course::measure_host_ms(
      [&] { kernel_ms.push_back(ray_trace(spheres, bitmap.get_ptr(), size)); });
  long_run.done();
  const double tests = double(count) * size * size;
  printf(
      "Time to generate: kernel %.4f ms (%.1f billion rays against spheres per second), with "
      "copies %.3f ms\n",
      course::median(kernel_ms), tests / course::median(kernel_ms) * 1e-6, end_to_end_ms);
  bitmap.display_and_exit();
  return 0;
}
