// Heat on a square plate: the model of chapters 7 and 8.
//
// A cell exchanges heat with its four neighbors: new = old + k * (sum of the neighbors - 4 * old).
// Heaters keep their temperature. The model is the book's, and is not meant to be physics.
#pragma once

#include <math.h>
#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "../program/compare.h"
#include "../program/device.h"
#include "heat_colors.h"
#include "../program/long_run.h"
#include "../program/timing.h"
#include "../pictures/verify_picture.h"

constexpr int kTile = 16;  // threads per block in each dimension
constexpr float kMaxTemperature = 1.0f;
constexpr float kMinTemperature = 0.0001f;
constexpr float kSpeed = 0.25f;     // k: how fast heat flows; stable up to 0.25
constexpr int kDefaultFrames = 12;  // of a file without --frames
constexpr int kBookSize = 1024;     // the plate of the book, in cells per side

// The formula, one source for the CPU and the device. With k = 1/4 the products are exact, so that it
// does not matter whether a compiler fuses them with the additions: results agree to the last bit.
__host__ __device__ inline float next_temperature(float center, float top, float left, float right,
                                                  float bottom) {
  return center + kSpeed * (top + bottom + left + right - 4.0f * center);
}

// What lies beyond the edge: the neighbor `cell`, -1 to size, of a cell at the edge is the cell at
// the edge itself, so that no heat flows there. The CPU's rule only; a kernel's edge must be the
// same. For a torus: (cell + size) % size.
inline int beyond_edge(int cell, int size) { return std::clamp(cell, 0, size - 1); }

// How much a stored temperature may be off, at most: a rounding of a float near 1. For temperatures
// in 16 bits: 1.0 / 65535.
constexpr double kStoredError = 0x1p-24;

// How far temperatures may be from the reference after `steps` steps. With k = 1/4 they agree; with
// another k, each step rounds a few times. Above 1/4, errors grow like everything else: the pattern
// of a chessboard is then multiplied by 1 - 8k in every step.
inline double heat_tolerance(int steps) {
  return steps * 4 * kStoredError * std::pow(std::max(1.0, std::fabs(1 - 8.0 * kSpeed)), steps);
}

// Where the cells of a row or column of `size` cells are on the book's plate of 1024.
inline std::vector<int> book_cells(int size) {
  std::vector<int> cells(size);
  for (int i = 0; i < size; i++) cells[i] = static_cast<int>(1LL * i * kBookSize / size);
  return cells;
}

// The heaters of a plate of size x size cells: their temperatures, and 0 where there is none. The
// book's, scaled from its 1024 cells to any size.
inline std::vector<float> make_heaters(int size) {
  std::vector<float> heaters(static_cast<size_t>(size) * size, 0.0f);
  if (size == 0) return heaters;
  const std::vector<int> book = book_cells(size);
  const auto spot = [&](long long book_x, long long book_y, float temperature) {
    const size_t x = book_x * size / kBookSize, y = book_y * size / kBookSize;
    heaters[x + y * size] = temperature;
  };
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      if (book[x] > 300 && book[x] < 600 && book[y] > 310 && book[y] < 601)
        heaters[x + static_cast<size_t>(y) * size] = kMaxTemperature;
  spot(100, 100, (kMaxTemperature + kMinTemperature) / 2);
  spot(100, 700, kMinTemperature);
  spot(300, 300, kMinTemperature);
  spot(700, 200, kMinTemperature);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      if (book[x] >= 400 && book[x] < 500 && book[y] >= 800 && book[y] < 900)
        heaters[x + static_cast<size_t>(y) * size] = kMinTemperature;
  return heaters;
}

// The temperatures at the start: those of the heaters, and a hot corner that nothing keeps hot.
inline std::vector<float> start_temperatures(int size) {
  std::vector<float> temperatures = make_heaters(size);
  const std::vector<int> book = book_cells(size);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      if (book[x] < 200 && book[y] >= 800)
        temperatures[x + static_cast<size_t>(y) * size] = kMaxTemperature;
  return temperatures;
}

// One step, computed by the CPU: the temperatures after `in`, whose heaters are reset first.
inline void step_reference(std::vector<float>& in, std::vector<float>& out,
                           const std::vector<float>& heaters, int size) {
  for (size_t i = 0; i < in.size(); i++)
    if (heaters[i] != 0) in[i] = heaters[i];
  for (int y = 0; y < size; y++) {
    const auto row_at = [&](int at) { return in.data() + static_cast<size_t>(at) * size; };
    const float* row = row_at(y);
    const float* above = row_at(beyond_edge(y - 1, size));
    const float* below = row_at(beyond_edge(y + 1, size));
    float* next = out.data() + static_cast<size_t>(y) * size;
    for (int x = 0; x < size; x++)
      next[x] = next_temperature(row[x], above[x], row[beyond_edge(x - 1, size)],
                                 row[beyond_edge(x + 1, size)], below[x]);
  }
}

// The temperatures after `steps` steps, computed by the CPU.
inline std::vector<float> heat_reference(int size, int steps) {
  const std::vector<float> heaters = make_heaters(size);
  std::vector<float> in = start_temperatures(size), out(in.size());
  for (int step = 0; step < steps; step++) {
    step_reference(in, out, heaters, size);
    std::swap(in, out);
  }
  return in;
}

// Colors for the temperatures, one thread per cell. Rows of temperatures start every `row` floats.
static __global__ void paint(uchar4* rgba, const float* temperatures, int size, size_t row) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  rgba[x + static_cast<size_t>(y) * size] = heat_color(temperatures[x + y * row]);
}

// The grid that covers size x size cells with tiles.
inline dim3 grid_for(int size) {
  const unsigned tiles = static_cast<unsigned>((size + kTile - 1) / kTile);
  return dim3(tiles, tiles);
}

// The temperatures as a picture: RGBA, a pixel for each cell.
inline std::vector<unsigned char> heat_picture(const std::vector<float>& temperatures) {
  std::vector<unsigned char> rgba;
  rgba.reserve(4 * temperatures.size());
  for (const float temperature : temperatures) {
    const uchar4 color = heat_color(temperature);
    rgba.insert(rgba.end(), {color.x, color.y, color.z, color.w});
  }
  return rgba;
}

// heat(size, steps): the temperatures of a plate after so many steps on the device.
using Heat = std::function<std::vector<float>(int, int)>;

// How many steps of the first frame the CPU does in a second or so: these are checked.
inline int checked_steps(int size, int steps) {
  return std::min(steps, std::max(3, static_cast<int>(3e8 / (1.0 * size * size))));
}

// About how long it takes until the animation begins: the checked steps by the CPU and by the
// device, and the frames that print_heat_times() measures.
inline double estimate_heat_s(int size, int steps, const Heat& heat) {
  constexpr int kPart = 256, kPartSteps = 8;
  const double cells = 1.0 * size * size, part = 1.0 * kPart * kPart * kPartSteps;
  const int checked = checked_steps(size, steps);
  const double cpu_s =
      course::estimate_s(cells * checked, part, [] { heat_reference(kPart, kPartSteps); });
  const double frame_s = course::estimate_s(cells * steps, part, [&] { heat(kPart, kPartSteps); });
  return cpu_s + frame_s * checked / std::max(1, steps) +
         1e-3 * course::measuring_ms(1e3 * frame_s, 3);
}

// Compares heat(size, n) with the reference for as many steps n of the first frame as the CPU does
// in a second or so. What is wrong is also saved as a picture.
inline bool verify_heat(int size, int steps, const Heat& heat) {
  const double cells = static_cast<double>(size) * size;
  course::announce(estimate_heat_s(size, steps, heat), 36 * cells);
  const int checked = checked_steps(size, steps);
  const std::vector<float> result = heat(size, checked);
  const std::vector<float> expected = heat_reference(size, checked);
  printf("%d x %d cells on %s\n", size, size, course::device_name().c_str());
  const course::Comparison outcome = course::compare(
      "the temperature", result.data(), expected.data(), result.size(), 0, heat_tolerance(checked));
  if (!outcome.equal) {
    fflush(stdout);
    fprintf(stderr, "%s, after %d steps; the worst one is that of %s\n", outcome.message.c_str(),
            checked, course::pixel_in_words(outcome.worst, size, dim3(kTile, kTile)).c_str());
    course::save_wrong_picture(heat_picture(result).data(), heat_picture(expected).data(), size,
                               size);
    return false;
  }
  printf("%s verified\n", course::count_of(checked, "step").c_str());
  return true;
}

// What the book's programs say when their animation ends; "" if nothing was drawn.
inline std::string frame_time_in_words(double total_ms, int frames) {
  char text[64] = "";
  if (frames > 0)
    snprintf(text, sizeof text, "Average Time per frame: %3.1f ms\n", total_ms / frames);
  return text;
}

// Prints how long `frame`, `steps` steps on the device, takes, and how much memory that moves.
inline void print_heat_times(int size, int steps, const std::function<void()>& frame) {
  if (steps == 0) return;
  const double ms = course::measure_device_ms(frame, 3);
  const double bytes = 2.0 * sizeof(float) * size * size * steps;
  printf(
      "a frame of %s: kernels %.3f ms, %.2f us per step, %.1f GB/s if each cell is read "
      "and written once\n",
      course::count_of(steps, "step").c_str(), ms, 1e3 * ms / steps, course::billions_per_second(bytes, ms));
  printf("a copy within the device's memory: %.1f GB/s\n", course::measure_copy_gb_per_s());
}
