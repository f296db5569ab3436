// Draws a Julia set on the CPU, pixel after pixel.
//
// The book's section 4.2.2. What to look at: no pixel needs to know of another, so the two loops of
// draw_on_cpu are all that is serial here. Try another constant; the shape changes altogether. (The
// book says that it stops when the absolute value exceeds 1000; its program, and ours, compares the
// square of it with 1000, which is cheaper and just as good.)
//
//   ./course run julia_cpu --save julia.png
//   ./course run julia_cpu --re -0.4 --im 0.6 --scale 1.2

#include "../common/cpu_bitmap.h"
#include "../common/device.h"
#include "../common/options.h"
#include "../common/rounding.h"
#include "../common/timing.h"

using course::product;

// A complex number. Its products are rounded alike on the CPU and on the device (rounding.h tells
// more), so both decide alike for every pixel.
struct Complex {
  float re, im;
};
__host__ __device__ inline Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
__host__ __device__ inline Complex operator*(Complex a, Complex b) {
  return {product(a.re, b.re) - product(a.im, b.im), product(a.im, b.re) + product(a.re, b.im)};
}
// |z| squared
__host__ __device__ inline float magnitude2(Complex z) {
  return product(z.re, z.re) + product(z.im, z.im);
}

// A square picture of the complex plane around 0.
struct View {
  int size;     // pixels per side
  float scale;  // from the center to the border
  Complex c;    // the constant that makes the Julia set
};

// The formula, one text for the CPU and the device: a point z is in the set if z = z * z + c, again
// and again, stays near 0. Here: if |z| squared does not exceed 1000 within 200 steps.
__host__ __device__ inline bool in_julia_set(int x, int y, const View& view) {
  const float half = view.size / 2.0f;
  Complex z{view.scale * (half - x) / half, view.scale * (half - y) / half};
  for (int step = 0; step < 200; step++) {
    z = z * z + view.c;
    if (magnitude2(z) > 1000) return false;
  }
  return true;
}

// Pixels are RGBA, 4 bytes: red in the set, black outside.
__host__ __device__ inline void draw_pixel(int x, int y, const View& view, unsigned char* rgba) {
  unsigned char* pixel = rgba + 4 * (x + static_cast<size_t>(y) * view.size);
  pixel[0] = in_julia_set(x, y, view) ? 255 : 0;
  pixel[1] = 0;
  pixel[2] = 0;
  pixel[3] = 255;
}

// The whole picture on the CPU.
void draw_on_cpu(const View& view, unsigned char* rgba) {
  for (int y = 0; y < view.size; y++)
    for (int x = 0; x < view.size; x++) draw_pixel(x, y, view, rgba);
}

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
  View view{1000, 1.5f, {-0.8f, 0.156f}};
  course::Options options("Draws a Julia set on the CPU.");
  options.number("size", &view.size, 1, 65535, "pixels per side");
  options.real("scale", &view.scale, 1e-6, 1e6, "from the center to the border");
  options.real("re", &view.c.re, -2, 2, "real part of the constant");
  options.real("im", &view.c.im, -2, 2, "imaginary part of the constant");
  options.picture();
  options.parse(argc, argv);
  const size_t pixels = static_cast<size_t>(view.size) * view.size;
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
