// Heat on a square plate: the model of chapters 7 and 8.
//
// A cell exchanges heat with its four neighbors: new = old + k * (sum of the neighbors - 4 * old).
// Heaters keep their temperature. The model is the book's, and is not meant to be physics.
#pragma once

#include <math.h>
#include <stdio.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "book.h"
#include "compare.h"
#include "device.h"
#include "timing.h"

constexpr int kTile = 16;  // threads per block in each dimension
constexpr float kMaxTemperature = 1.0f;
constexpr float kMinTemperature = 0.0001f;
constexpr float kSpeed = 0.25f;     // k: how fast heat flows; stable up to 0.25
constexpr int kDefaultFrames = 12;  // of a file without --frames
constexpr int kBookSize = 1024;     // the plate of the book, in cells per side

// The formula, one text for the CPU and the device. With k = 1/4 the products are exact, so that it
// does not matter whether a compiler fuses them with the additions: results agree to the last bit.
__host__ __device__ inline float next_temperature(float center, float top, float left, float right,
                                                  float bottom) {
  return center + kSpeed * (top + bottom + left + right - 4.0f * center);
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

// One step, computed by the CPU: the temperatures after `in`, of which the heaters are set anew.
// Beyond the edge it is as warm as at the edge, so that no heat flows there.
inline void step_reference(std::vector<float>& in, std::vector<float>& out,
                           const std::vector<float>& heaters, int size) {
  for (size_t i = 0; i < in.size(); i++)
    if (heaters[i] != 0) in[i] = heaters[i];
  for (int y = 0; y < size; y++) {
    const float* row = in.data() + static_cast<size_t>(y) * size;
    const float* above = y > 0 ? row - size : row;
    const float* below = y < size - 1 ? row + size : row;
    float* next = out.data() + static_cast<size_t>(y) * size;
    for (int x = 0; x < size; x++)
      next[x] = next_temperature(row[x], above[x], row[x > 0 ? x - 1 : x],
                                 row[x < size - 1 ? x + 1 : x], below[x]);
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

// How far temperatures may be from the reference after `steps` steps. With k = 1/4 they agree; with
// another k each step rounds anew, by a few units in the last place of 1.
inline double heat_tolerance(int steps) { return steps * 4 * 0x1p-24; }

// Colors for the temperatures, one thread per cell. Rows of temperatures start every `row` floats.
static __global__ void paint(uchar4* rgba, const float* temperatures, int size, size_t row) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  rgba[x + static_cast<size_t>(y) * size] = heat_color(temperatures[x + y * row]);
}

// The grid that covers size x size cells with tiles.
inline dim3 grid_for(int size) {
  const unsigned tiles = static_cast<unsigned>((size + kTile - 1) / kTile);
  return dim3(tiles, tiles);
}

// Compares heat(size, n) with the reference for as many steps n of the first frame as the CPU does
// in a second or so.
inline bool verify_heat(int size, int steps,
                        const std::function<std::vector<float>(int, int)>& heat) {
  const double cells = static_cast<double>(size) * size;
  const int checked = std::min(steps, std::max(3, static_cast<int>(3e8 / cells)));
  const std::vector<float> result = heat(size, checked);
  const std::vector<float> expected = heat_reference(size, checked);
  printf("%d x %d cells on %s\n", size, size, course::device_name().c_str());
  if (!course::verify("the temperature", result.data(), expected.data(), result.size(), 0,
                      heat_tolerance(checked)))
    return false;
  printf("%d steps verified\n", checked);
  return true;
}

// Prints how long `frame`, `steps` steps on the device, takes, and how much memory that moves.
inline void print_heat_times(int size, int steps, const std::function<void()>& frame) {
  if (steps == 0) return;
  const double ms = course::measure_device_ms(frame, 3);
  const double bytes = 2.0 * sizeof(float) * size * size * steps;
  printf(
      "a frame of %d steps: kernels %.3f ms, %.2f us per step, %.1f GB/s if each cell is read "
      "and written once\n",
      steps, ms, 1e3 * ms / steps, bytes / ms * 1e-6);
  printf("a copy within the device's memory: %.1f GB/s\n", course::measure_copy_gb_per_s());
}
