// Traces rays with threads that read different spheres at the same time: slow in constant memory.
//
// Not in the book. The picture is the same as in ray_constant: each thread tests all spheres and
// draws the nearest. Only the order differs. Together: all threads of a warp read the same sphere
// at the same time, and one access serves them all. Scattered: each thread starts with a different
// sphere. Constant memory then serves one address after the other, and a warp waits up to 32 times
// as long. What to look at: global memory, with its cache, loses much less (./course profile).
//
//   ./course run ray_scattered --spheres 2340
//   ./course profile ray_scattered --size 64

#include <string>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "scene.h"

__constant__ Sphere constant_spheres[kMaxSpheres];

// Returns the same color as trace() in scene.h, whichever sphere is tested first: of two surfaces
// at the same depth, the sphere with the lower index counts.
__host__ __device__ inline uchar4 trace_from(int first, const Sphere* spheres, int count, int x,
                                             int y, int size) {
  const float ray_x = static_cast<float>(x - size / 2);
  const float ray_y = static_cast<float>(y - size / 2);
  float r = 0, g = 0, b = 0;
  float nearest = -2e10f;
  int nearest_sphere = count;
  int i = first;
  for (int looked_at = 0; looked_at < count; looked_at++) {
    float z, facing;
    if (spheres[i].hit(ray_x, ray_y, &z, &facing) &&
        (z > nearest || (z == nearest && i < nearest_sphere))) {
      nearest = z;
      nearest_sphere = i;
      r = spheres[i].r * facing;
      g = spheres[i].g * facing;
      b = spheres[i].b * facing;
    }
    if (++i == count) i = 0;
  }
  return make_uchar4(static_cast<unsigned char>(255 * r), static_cast<unsigned char>(255 * g),
                     static_cast<unsigned char>(255 * b), 255);
}

// Draws the pixel of the calling thread. step 0: all threads of the block start with the first
// sphere. step 1: each starts with a different one, if there are as many spheres as threads.
__device__ inline void draw(const Sphere* spheres, int count, int step, uchar4* rgba, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const int i = threadIdx.y * blockDim.x + threadIdx.x;
  const int first = count == 0 ? 0 : i * step % count;
  rgba[size_t(y) * size + x] = trace_from(first, spheres, count, x, y, size);
}

// One thread per pixel. `spheres` are in global memory. Two of the kernels use those in constant
// memory instead, and are the same otherwise.
__global__ void ray_constant_together(const Sphere*, int count, uchar4* rgba, int size) {
  draw(constant_spheres, count, 0, rgba, size);
}
__global__ void ray_constant_scattered(const Sphere*, int count, uchar4* rgba, int size) {
  draw(constant_spheres, count, 1, rgba, size);
}
__global__ void ray_global_together(const Sphere* spheres, int count, uchar4* rgba, int size) {
  draw(spheres, count, 0, rgba, size);
}
__global__ void ray_global_scattered(const Sphere* spheres, int count, uchar4* rgba, int size) {
  draw(spheres, count, 1, rgba, size);
}

using Ray = void (*)(const Sphere*, int, uchar4*, int);
constexpr struct {
  const char* words;
  Ray kernel;
} kCases[] = {{"constant memory, together", ray_constant_together},
              {"constant memory, scattered", ray_constant_scattered},
              {"global memory, together", ray_global_together},
              {"global memory, scattered", ray_global_scattered}};

// Draws size x size RGBA pixels on the device; kMaxSpheres spheres at most. If `kernel_ms` is not
// null, measures the kernel.
void ray_trace(const std::vector<Sphere>& spheres, Ray kernel, unsigned char* rgba, int size,
               double* kernel_ms = nullptr) {
  if (size == 0) return;
  const int count = static_cast<int>(spheres.size());
  const size_t bytes = 4 * size_t(size) * size;
  uchar4* dev_rgba;
  Sphere* dev_spheres;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_spheres, kMaxSpheres * sizeof(Sphere)));
  HANDLE_ERROR(cudaMemcpy(dev_spheres, spheres.data(), count * sizeof(Sphere),
                          cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_spheres, spheres.data(), count * sizeof(Sphere)));

  const unsigned tiles = (size + kTile - 1) / kTile;
  const auto launch = [=] {
    kernel<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(dev_spheres, count, dev_rgba, size);
  };
  launch();
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  if (kernel_ms != nullptr) *kernel_ms = course::measure_device_ms(launch);
  HANDLE_ERROR(cudaFree(dev_rgba));
  HANDLE_ERROR(cudaFree(dev_spheres));
}

// ---- Checking and timing, not the lesson.

// Estimates the time of main(): the picture by the CPU, and in each way by the device, which draws
// it once and then measures it.
double estimate_s(const std::vector<Sphere>& spheres, int size) {
  double all_s =
      course::estimate_picture_s(size, [&](int part) { ray_reference(spheres, part); });
  for (const auto& one : kCases) {
    const double once_s = course::estimate_picture_s(size, [&](int part) {
      std::vector<unsigned char> rgba(4 * size_t(part) * part);
      ray_trace(spheres, one.kernel, rgba.data(), part);
    });
    all_s += once_s + 1e-3 * course::measuring_ms(1e3 * once_s);
  }
  return all_s;
}

int main(int argc, char** argv) {
  int size = 1024, count = 20;
  course::Options options("Draws spheres when the threads of a warp read different ones.");
  options.number("size", &size, 1, 32768, "pixels per side");
  options.number("spheres", &count, 0, kMaxSpheres, "spheres, as many as 64 KB hold");
  options.parse(argc, argv);
  const double bytes = 4.0 * size * size;
  course::require_memory(bytes + kMaxSpheres * sizeof(Sphere), 2 * bytes);

  const std::vector<Sphere> spheres = random_spheres(count);
  course::LongRun long_run(estimate_s(spheres, size), 3 * bytes);
  const std::vector<unsigned char> expected = ray_reference(spheres, size);
  std::vector<double> times;
  for (const auto& one : kCases) {
    std::vector<unsigned char> rgba(expected.size());
    double kernel_ms = 0;
    ray_trace(spheres, one.kernel, rgba.data(), size, &kernel_ms);
    long_run.hide();
    if (!course::verify(one.words, rgba.data(), expected.data(), expected.size()))
      return course::kExitWrong;
    times.push_back(kernel_ms);
  }
  long_run.done();

  printf("%s, %d x %d pixels on %s: all pictures verified\n",
         course::count_of(count, "sphere").c_str(), size, size, course::device_name().c_str());
  for (size_t i = 0; i < times.size(); i++)
    printf("%-28s kernel %.4f ms\n", kCases[i].words, times[i]);
  if (course::runs_on_cpu_device())
    printf("(times on the CPU device say nothing about a GPU; ./course profile counts instead)\n");
  return 0;
}
