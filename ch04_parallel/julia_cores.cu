// Draws a Julia set on the CPU: with one thread, with all cores, and with all cores and SIMD.
//
// Not in the book, which compares with one thread. What to look at: a core takes the next row when
// it is free (schedule(dynamic)), because rows through the set take longer than others. With SIMD a
// core computes 16 pixels of a row at a time, one per lane of its vector registers. It continues
// until the last of them is decided. A warp works the same way and has the same weakness: where
// neighbors differ, decided lanes wait for the others.
//
//   ./course run julia_cores --size 4096

#include <algorithm>
#include <vector>

#include "../common/program/cpu_baseline.h"
#include "../common/cpu_bitmap.h"
#include "../common/program/device.h"
#include "../common/program/timing.h"
#include "../common/pictures/verify_picture.h"
#include "julia.h"

// One pixel after the other.
void draw_by_one_thread(const View& view, unsigned char* rgba) {
  for (int y = 0; y < view.size; y++)
    for (int x = 0; x < view.size; x++) draw_pixel(x, y, view, rgba);
}

// Each core takes the next row when it is free.
void draw_by_all_cores(const View& view, unsigned char* rgba) {
#pragma omp parallel for schedule(dynamic)
  for (int y = 0; y < view.size; y++)
    for (int x = 0; x < view.size; x++) draw_pixel(x, y, view, rgba);
}

constexpr int kLanes = 16;  // floats of the longest vector registers

// Pixels (x, y) to (x + kLanes - 1, y). Each lane does what in_julia_set() does, but tests only
// after every fourth step. A point that has left grows until it is infinite or not a number.
void draw_lanes(int x, int y, const View& view, unsigned char* rgba) {
  const float half = view.size / 2.0f;
  float re[kLanes], im[kLanes];
  int inside[kLanes];
  for (int lane = 0; lane < kLanes; lane++) {
    re[lane] = view.scale * (half - (x + lane)) / half;
    im[lane] = view.scale * (half - y) / half;
  }
  int any_inside = 1;
  for (int step = 0; step < 200 && any_inside; step += 4) {
    any_inside = 0;
#pragma omp simd reduction(| : any_inside)
    for (int lane = 0; lane < kLanes; lane++) {
      float a = re[lane], b = im[lane];  // structures and loops would prevent vectorization
      const auto step_on = [&] {
        const float next = product(a, a) - product(b, b) + view.c.re;
        b = product(b, a) + product(a, b) + view.c.im;
        a = next;
      };
      step_on(), step_on(), step_on(), step_on();
      re[lane] = a;
      im[lane] = b;
      inside[lane] = product(a, a) + product(b, b) <= 1000 ? 1 : 0;
      any_inside |= inside[lane];
    }
  }
  for (int lane = 0; lane < kLanes; lane++) {
    unsigned char* const pixel = rgba + 4 * (size_t(y) * view.size + x + lane);
    pixel[0] = inside[lane] ? 255 : 0;
    pixel[1] = pixel[2] = 0;
    pixel[3] = 255;
  }
}

void draw_with_simd(const View& view, unsigned char* rgba) {
#pragma omp parallel for schedule(dynamic)
  for (int y = 0; y < view.size; y++) {
    int x = 0;
    for (; x + kLanes <= view.size; x += kLanes) draw_lanes(x, y, view, rgba);
    for (; x < view.size; x++) draw_pixel(x, y, view, rgba);
  }
}
// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  const View view = parse_view(argc, argv, "Draws a Julia set with all cores of the CPU.");
  const size_t pixels = size_t(view.size) * view.size;
  course::require_host_memory(3 * 4.0 * pixels);  // two pictures, and the file

  CPUBitmap bitmap(view.size, view.size);
  std::vector<unsigned char> expected(4 * pixels);
  draw_by_one_thread(view, expected.data());
  const struct {
    std::string name;
    void (*draw)(const View& view, unsigned char* rgba);
  } ways[] = {{"one thread", draw_by_one_thread},
              {course::cores_in_words(), draw_by_all_cores},
              {course::cores_in_words() + ", SIMD", draw_with_simd}};
  for (const auto& way : ways) {
    std::fill_n(bitmap.get_ptr(), 4 * pixels, static_cast<unsigned char>(77));
    way.draw(view, bitmap.get_ptr());
    if (!course::picture_is_right(bitmap.get_ptr(), expected.data(), view.size, view.size, 0,
                                  dim3(0)))
      return course::kExitWrong;
  }
  printf("%s, all pictures alike\n", course::count_of(pixels, "pixel").c_str());
  for (const auto& way : ways) {
    const double ms = course::measure_host_ms([&] { way.draw(view, bitmap.get_ptr()); });
    printf("%-28s %10.2f ms, %.1f million pixels per second\n", way.name.c_str(), ms,
           pixels / ms * 1e-3);
  }
  printf("%s", course::cores_hint().c_str());
  bitmap.display_and_exit();
  return 0;
}
