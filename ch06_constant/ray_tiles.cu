// Traces rays in blocks that first select the spheres in their tile of the picture.
//
// Not in the book. ray_global_timed spends its time on instructions, not on memory: each ray tests
// each sphere, and misses nearly all of them. But the rays of a block are neighbors. A sphere that
// misses their square misses all of them. So 256 threads test 256 spheres against the square at
// once and store those that reach it in shared memory, in order. Each ray tests only those. What to
// look at: how the threads agree on places without an atomic (__ballot_sync, __popc and a sum over
// the warps). The order of the spheres stays the same, and so does every pixel. Each ray now tests
// only the spheres that reach its tile. The block still tests all spheres, but only once: with 2340
// of them, this is 37 times as fast as ray_global_timed.
//
//   ./course run ray_tiles --size 4096 --spheres 2340

#include <vector>

#include "../common/cpu_bitmap.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "../common/pictures/verify_picture.h"
#include "scene.h"

constexpr int kThreads = kTile * kTile;
constexpr int kWarps = kThreads / 32;

// Whether a sphere reaches into the square of kTile x kTile rays whose lower left ray is (left,
// bottom). All
// numbers are whole, so nothing is rounded.
__host__ __device__ inline bool reaches(const Sphere& sphere, float left, float bottom) {
  const float right = left + (kTile - 1), top = bottom + (kTile - 1);
  const float dx = fmaxf(fmaxf(left - sphere.x, sphere.x - right), 0.0f);
  const float dy = fmaxf(fmaxf(bottom - sphere.y, sphere.y - top), 0.0f);
  return dx * dx + dy * dy < sphere.radius * sphere.radius;
}

// One thread per pixel. Threads beyond the edge of the picture also select spheres.
__global__ void ray(const Sphere* spheres, int count, uchar4* rgba, int size) {
  __shared__ Sphere reaching[kThreads];
  __shared__ int found[kWarps];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const int warp = thread / 32, lane = thread % 32;
  const float ray_x = static_cast<float>(x - size / 2);
  const float ray_y = static_cast<float>(y - size / 2);
  const float left = ray_x - threadIdx.x, bottom = ray_y - threadIdx.y;

  float r = 0, g = 0, b = 0;
  float nearest = -2e10f;  // farther than any sphere
  for (int first = 0; first < count; first += kThreads) {
    const int mine = first + thread;
    Sphere sphere{};
    if (mine < count) sphere = spheres[mine];
    const bool here = mine < count && reaches(sphere, left, bottom);
    // One bit per lane. The set bits below the thread's own give its place in its warp.
    const unsigned int lanes = __ballot_sync(0xffffffffu, here);
    if (lane == 0) found[warp] = __popc(lanes);
    __syncthreads();
    int place = __popc(lanes & ((1u << lane) - 1)), total = 0;
    for (int w = 0; w < kWarps; w++) {
      if (w < warp) place += found[w];
      total += found[w];
    }
    if (here) reaching[place] = sphere;
    __syncthreads();  // all selected spheres are stored

    for (int i = 0; i < total; i++) {
      float z, facing;
      if (reaching[i].hit(ray_x, ray_y, &z, &facing) && z > nearest) {
        nearest = z;
        r = reaching[i].r * facing;
        g = reaching[i].g * facing;
        b = reaching[i].b * facing;
      }
    }
    __syncthreads();  // before they are overwritten
  }
  if (x < size && y < size)
    rgba[size_t(y) * size + x] =
        make_uchar4(static_cast<unsigned char>(255 * r), static_cast<unsigned char>(255 * g),
                    static_cast<unsigned char>(255 * b), 255);
}

// Draws size x size RGBA pixels on the device. If `kernel_ms` is not null, measures the kernel.
void ray_trace(const std::vector<Sphere>& spheres, unsigned char* rgba, int size,
               double* kernel_ms = nullptr) {
  if (size == 0) return;
  const int count = static_cast<int>(spheres.size());
  const size_t bytes = 4 * size_t(size) * size;
  uchar4* dev_rgba;
  Sphere* dev_spheres;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_spheres, count * sizeof(Sphere)));
  HANDLE_ERROR(
      cudaMemcpy(dev_spheres, spheres.data(), count * sizeof(Sphere), cudaMemcpyHostToDevice));

  const unsigned tiles = (size + kTile - 1) / kTile;
  const auto launch = [=] {
    ray<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(dev_spheres, count, dev_rgba, size);
  };
  launch();
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  if (kernel_ms != nullptr) *kernel_ms = course::measure_device_ms(launch);
  HANDLE_ERROR(cudaFree(dev_rgba));
  HANDLE_ERROR(cudaFree(dev_spheres));
}

// ---- Checking and timing, not the lesson.

// Estimates the time of main(): the picture by the CPU, and by the device, which draws it once and
// then measures it.
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
  course::Options options("Draws spheres; each block selects those in its tile of the picture.");
  options.number("size", &size, 1, 32768, "pixels per side");
  options.number("spheres", &count, 0, 1000000, "spheres");
  options.picture();
  options.parse(argc, argv);
  const double bytes = 4.0 * size * size;
  course::require_memory(bytes + 1.0 * count * sizeof(Sphere), 2 * bytes);

  const std::vector<Sphere> spheres = random_spheres(count);
  course::LongRun long_run(estimate_s(spheres, size), 3 * bytes);
  CPUBitmap bitmap(size, size);
  double kernel_ms = 0;
  ray_trace(spheres, bitmap.get_ptr(), size, &kernel_ms);
  const std::vector<unsigned char> expected = ray_reference(spheres, size);
  long_run.done();

  printf("%s, %d x %d pixels on %s\n", course::count_of(count, "sphere").c_str(), size, size,
         course::device_name().c_str());
  if (!course::verify_picture(bitmap.get_ptr(), expected.data(), size, size))
    return course::kExitWrong;
  printf("kernel %.4f ms (%.1f billion ray-sphere pairs per second, tested or not)\n", kernel_ms,
         course::billions_per_second(double(count) * size * size, kernel_ms));
  bitmap.display_and_exit();
  return 0;
}
