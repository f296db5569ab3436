// Checking and timing, not the lesson: the main() of the ray tracers.
#pragma once

#include <functional>
#include <vector>

#include "../common/cpu_bitmap.h"
#include "../common/pictures/verify_picture.h"
#include "../common/program/device.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "scene.h"

// Draws spheres, size x size RGBA pixels, on the device.
using RayTrace = std::function<void(const std::vector<Sphere>&, unsigned char* rgba, int size)>;

// Does the same, and returns the kernel's time in milliseconds.
using TimedRayTrace =
    std::function<float(const std::vector<Sphere>&, unsigned char* rgba, int size)>;

// Estimate the time of a picture on the device and on the CPU.
inline double estimate_s(const RayTrace& ray_trace, const std::vector<Sphere>& spheres, int size) {
  return course::estimate_picture_s(size, [&](int part) {
    std::vector<unsigned char> rgba(4 * size_t(part) * part);
    ray_trace(spheres, rgba.data(), part);
  });
}
inline double estimate_reference_s(const std::vector<Sphere>& spheres, int size) {
  return course::estimate_picture_s(size, [&](int part) { ray_reference(spheres, part); });
}

// Draws the picture several times, and prints the medians.
inline void print_times(const TimedRayTrace& timed, const std::vector<Sphere>& spheres,
                        unsigned char* rgba, int size) {
  std::vector<double> kernel_ms;
  const double end_to_end_ms =
      course::measure_host_ms([&] { kernel_ms.push_back(timed(spheres, rgba, size)); });
  const double tests = double(spheres.size()) * size * size;
  printf(
      "Time to generate: kernel %.4f ms (%.1f billion ray-sphere pairs per second), with "
      "copies %.3f ms\n",
      course::median(kernel_ms), course::billions_per_second(tests, course::median(kernel_ms)), end_to_end_ms);
}

// Draws a picture of up to `most` spheres, compares it with the CPU's and shows it. With `timed`,
// which draws the same as `ray_trace`, it also prints the times.
inline int ray_program(int argc, char** argv, const char* purpose, const RayTrace& ray_trace,
                       int most = kMaxSpheres, const TimedRayTrace& timed = nullptr) {
  int size = 1024, count = 20;
  course::Options options(purpose);
  options.number("size", &size, 1, 32768, "pixels per side");
  options.number("spheres", &count, 0, most, "spheres");
  options.picture();
  options.parse(argc, argv);
  const double bytes = 4.0 * size * size;
  course::require_memory(bytes, 2 * bytes);

  const std::vector<Sphere> spheres = random_spheres(count);
  double seconds = estimate_s(ray_trace, spheres, size);
  if (timed != nullptr) seconds += 1e-3 * course::measuring_ms(1e3 * seconds);
  seconds += estimate_reference_s(spheres, size);
  course::LongRun long_run(seconds, 3 * bytes);
  CPUBitmap bitmap(size, size);
  ray_trace(spheres, bitmap.get_ptr(), size);
  const std::vector<unsigned char> expected = ray_reference(spheres, size);
  long_run.hide();

  printf("%s, %d x %d pixels on %s\n", course::count_of(count, "sphere").c_str(), size, size,
         course::device_name().c_str());
  if (!course::verify_picture(bitmap.get_ptr(), expected.data(), size, size))
    return course::kExitWrong;
  if (timed != nullptr) print_times(timed, spheres, bitmap.get_ptr(), size);
  if (timed != nullptr && course::runs_on_cpu_device())
    printf("(times on the CPU device say nothing about a GPU)\n");
  long_run.done();
  bitmap.display_and_exit();
  return 0;
}

inline int ray_program_timed(int argc, char** argv, const char* purpose,
                             const TimedRayTrace& timed) {
  return ray_program(argc, argv, purpose, timed, kMaxSpheres, timed);
}
