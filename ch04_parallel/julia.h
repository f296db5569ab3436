// The Julia set: its formula and the color of a pixel. The same code runs on the CPU and the
// device.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "../common/program/options.h"
#include "../common/program/rounding.h"

using course::product;

// A complex number. Its products are rounded in the same way on the CPU and on the device
// (rounding.h explains how), so both get the same result for every pixel.
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

// A point z is in the set if it stays near 0 when z = z * z + c is repeated. Here: if |z| squared
// does not exceed 1000 within 200 steps.
__host__ __device__ inline bool in_julia_set(int x, int y, const View& view) {
  const float half = view.size / 2.0f;
  Complex z{view.scale * (half - x) / half, view.scale * (half - y) / half};
  for (int step = 0; step < 200; step++) {
    z = z * z + view.c;
    if (magnitude2(z) > 1000) return false;
  }
  return true;
}

// Draws a pixel: RGBA, red in the set, black outside. One store of 4 bytes is faster on a GPU than
// four stores of one byte.
__host__ __device__ inline void draw_pixel(int x, int y, const View& view, unsigned char* rgba) {
  uchar4* pixels = reinterpret_cast<uchar4*>(rgba);
  pixels[size_t(y) * view.size + x] = make_uchar4(in_julia_set(x, y, view) ? 255 : 0, 0, 0, 255);
}

// Returns the picture that the command line describes.
inline View parse_view(int argc, char** argv, const char* purpose) {
  View view{1000, 1.5f, {-0.8f, 0.156f}};
  course::Options options(purpose);
  options.number("size", &view.size, 1, 65535, "pixels per side");
  options.real("scale", &view.scale, 1e-6, 1e6, "from the center to the border");
  options.real("re", &view.c.re, -2, 2, "real part of the constant");
  options.real("im", &view.c.im, -2, 2, "imaginary part of the constant");
  options.picture();
  options.parse(argc, argv);
  return view;
}
