// Checking and timing, not the lesson: the main() of the programs that draw Julia sets on the
// device.
#pragma once

#include <functional>
#include <vector>

#include "../common/cpu_bitmap.h"
#include "../common/handle_error.h"
#include "../common/pictures/verify_picture.h"
#include "../common/program/device.h"
#include "../common/program/timing.h"
#include "julia.h"

// Draws the whole picture on the CPU.
inline void draw_on_cpu(const View& view, unsigned char* rgba) {
  for (int y = 0; y < view.size; y++)
    for (int x = 0; x < view.size; x++) draw_pixel(x, y, view, rgba);
}

// A shape of blocks, and two functions that draw with it: the whole picture, or only the kernel,
// which writes to device memory.
struct Shape {
  const char* name;
  dim3 threads;
  std::function<void(const View& view, unsigned char* rgba)> draw;
  std::function<void(const View& view, unsigned char* dev_rgba)> launch;
};

// Prints how long a picture takes with this shape, compared with `cpu_ms` on the CPU.
inline void print_times(const View& view, const Shape& shape, unsigned char* rgba, double cpu_ms) {
  const size_t bytes = 4 * size_t(view.size) * view.size;
  unsigned char* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  const double kernel_ms = course::measure_device_ms([&] { shape.launch(view, dev_rgba); });
  const double copy_ms = course::measure_host_ms(
      [&] { HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost)); });
  HANDLE_ERROR(cudaFree(dev_rgba));
  const double end_to_end_ms = course::measure_host_ms([&] { shape.draw(view, rgba); });
  printf("%-20s %10.3f ms, %.1f times as fast; copy %.3f ms, end to end %.3f ms\n", shape.name,
         kernel_ms, cpu_ms / kernel_ms, copy_ms, end_to_end_ms);
}

// Draws the picture with each shape, compares every pixel with the CPU's, and prints the times.
inline int julia_program(int argc, char** argv, const char* purpose,
                         const std::vector<Shape>& shapes) {
  const View view = parse_view(argc, argv, purpose);
  const size_t pixels = size_t(view.size) * view.size;
  course::require_memory(4.0 * pixels, 3 * 4.0 * pixels);  // two pictures, and the file

  CPUBitmap bitmap(view.size, view.size);
  std::vector<unsigned char> expected(4 * pixels);
  course::Stopwatch watch;
  draw_on_cpu(view, expected.data());
  const double cpu_ms = watch.elapsed_ms();
  for (const Shape& shape : shapes) {
    shape.draw(view, bitmap.get_ptr());
    if (!course::picture_is_right(bitmap.get_ptr(), expected.data(), view.size, view.size, 0,
                                  shape.threads))
      return course::kExitWrong;
  }
  printf("%s: %s, each the same as on the CPU\n", course::device_name().c_str(),
         course::count_of(pixels, "pixel").c_str());
  printf("%-20s %10.3f ms\n", "one core of the CPU", cpu_ms);
  for (const Shape& shape : shapes) print_times(view, shape, bitmap.get_ptr(), cpu_ms);
  if (course::runs_on_cpu_device()) printf("(times on the CPU device say nothing about a GPU)\n");
  bitmap.display_and_exit();
  return 0;
}
