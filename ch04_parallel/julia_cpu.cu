// Draws a Julia set on the CPU, one pixel after the other.
//
// Section 4.2.2 of the book. What to look at: no pixel needs another one. Only the two loops of
// draw_on_cpu() are serial. A different constant gives a very different shape. (The book says
// that it stops when the absolute value exceeds 1000. Its program and ours compare the square with
// 1000, which is cheaper and works as well.)
//
//   ./course run julia_cpu --save julia.png
//   ./course run julia_cpu --re -0.4 --im 0.6 --scale 1.2

#include "../common/cpu_bitmap.h"
#include "../common/program/device.h"
#include "../common/program/timing.h"
#include "julia.h"

// Draws the whole picture on the CPU.
void draw_on_cpu(const View& view, unsigned char* rgba) {
  for (int y = 0; y < view.size; y++)
    for (int x = 0; x < view.size; x++) draw_pixel(x, y, view, rgba);
}

// ---- Checking and timing, not the lesson.

// Whether the picture is as symmetric as it has to be: -z has the same square as z, so both are in
// the set, or neither. Pixel (0, 0) is the border, and (size - x, size - y) lies opposite of (x,
// y).
bool is_symmetric(const View& view, const unsigned char* rgba) {
  const size_t size = view.size;
  for (size_t y = 1; y < size; y++)
    for (size_t x = 1; x < size; x++) {
      if (rgba[4 * (x + y * size)] == rgba[4 * ((size - x) + (size - y) * size)]) continue;
      fprintf(stderr, "pixel (%zu, %zu) differs from the one opposite of it\n", x, y);
      return false;
    }
  return true;
}

int main(int argc, char** argv) {
  const View view = parse_view(argc, argv, "Draws a Julia set on the CPU.");
  const size_t pixels = size_t(view.size) * view.size;
  course::require_host_memory(2 * 4.0 * pixels);  // the picture, and the file

  CPUBitmap bitmap(view.size, view.size);
  draw_on_cpu(view, bitmap.get_ptr());

  if (!is_symmetric(view, bitmap.get_ptr())) return course::kExitWrong;
  size_t inside = 0;
  for (size_t i = 0; i < pixels; i++) inside += bitmap.get_ptr()[4 * i] == 255;
  printf("%zu of %s in the set, symmetric as it must be\n", inside,
         course::count_of(pixels, "pixel").c_str());

  const double ms = course::measure_host_ms([&] { draw_on_cpu(view, bitmap.get_ptr()); });
  printf("one core %.2f ms, %.1f million pixels per second\n", ms, pixels / ms * 1e-3);
  bitmap.display_and_exit();
  return 0;
}
