// Draws a Julia set on the device with one block of one thread for each pixel.
//
// The book's section 4.2.2. What to look at: the two loops over x and y are gone, the grid has two
// dimensions instead; and the functions that the kernel calls are marked `__device__`. (The book's
// own listing forgets that for the constructor of its complex number, and nvcc refuses it.) One
// thread per block is slow on a GPU, since 31 of the 32 lanes of a warp idle: julia_threads is the
// answer.
//
//   ./course run julia_blocks --save julia.png
//   ./course run julia_blocks --re -0.4 --im 0.6 --scale 1.2

#include <vector>

#include "../common/book.h"
#include "../common/cpu_bitmap.h"
#include "../common/device.h"
#include "../common/options.h"
#include "../common/rounding.h"
#include "../common/timing.h"
#include "../common/verify_picture.h"

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

// One block of one thread per pixel.
__global__ void draw(View view, unsigned char* rgba) {
  const int x = blockIdx.x;
  const int y = blockIdx.y;
  if (x < view.size && y < view.size) draw_pixel(x, y, view, rgba);
}

struct Times {
  double kernel_ms, copy_ms;
};

// The whole picture on the device; if `times` is given, takes the time of each part.
void draw_on_device(const View& view, unsigned char* rgba, Times* times = nullptr) {
  const size_t bytes = 4 * static_cast<size_t>(view.size) * view.size;
  unsigned char* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));

  const dim3 grid(view.size, view.size);
  draw<<<grid, 1>>>(view, dev_rgba);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));

  if (times != nullptr) {
    times->kernel_ms = course::measure_device_ms([&] { draw<<<grid, 1>>>(view, dev_rgba); });
    times->copy_ms = course::measure_host_ms(
        [&] { HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost)); });
  }
  HANDLE_ERROR(cudaFree(dev_rgba));
}

int main(int argc, char** argv) {
  View view{1000, 1.5f, {-0.8f, 0.156f}};
  course::Options options("Draws a Julia set on the device, one block per pixel.");
  options.number("size", &view.size, 1, 65535, "pixels per side, and blocks");
  options.real("scale", &view.scale, 1e-6, 1e6, "from the center to the border");
  options.real("re", &view.c.re, -2, 2, "real part of the constant");
  options.real("im", &view.c.im, -2, 2, "imaginary part of the constant");
  options.picture();
  options.parse(argc, argv);
  const size_t pixels = static_cast<size_t>(view.size) * view.size;
  course::require_memory(4.0 * pixels, 3 * 4.0 * pixels);  // two pictures, and the file

  CPUBitmap bitmap(view.size, view.size);
  std::vector<unsigned char> expected(4 * pixels);
  course::Stopwatch watch;
  draw_on_cpu(view, expected.data());
  const double cpu_ms = watch.elapsed_ms();
  draw_on_device(view, bitmap.get_ptr());

  if (!course::picture_is_right(bitmap.get_ptr(), expected.data(), view.size, view.size, 0,
                                dim3(1, 1)))
    return course::kExitWrong;
  printf("%s: %s, each as the CPU draws it\n", course::device_name().c_str(),
         course::count_of(pixels, "pixel").c_str());

  Times times;
  draw_on_device(view, bitmap.get_ptr(), &times);
  const double end_to_end_ms =
      course::measure_host_ms([&] { draw_on_device(view, bitmap.get_ptr()); });
  printf("kernel %.3f ms, copy %.3f ms, end to end %.3f ms; one core of the CPU %.1f ms\n",
         times.kernel_ms, times.copy_ms, end_to_end_ms, cpu_ms);
  bitmap.display_and_exit();
  return 0;
}
