// Not the lesson: what the matrix product programs have besides the kernel. A program describes its
// kernels as a list of ways and calls matmul_program().
//
// c = a * b, where a has m rows and k columns, b has k rows and n columns, and c has m rows and n
// columns. Matrices are stored row after row.
#pragma once

#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/random.h"
#include "../common/program/timing.h"

struct Sizes {
  int m, n, k;
};

// A kernel may compute whole tiles only. Its matrices are then padded with zeros to multiples of
// these sizes: zeros add nothing to a sum, and the kernel has no edges to take care of.
struct Tile {
  int m = 1, n = 1, k = 1;
};

inline int round_up(int size, int multiple) { return (size + multiple - 1) / multiple * multiple; }
inline Sizes padded(Sizes s, Tile tile) {
  return {round_up(s.m, tile.m), round_up(s.n, tile.n), round_up(s.k, tile.k)};
}

// A matrix of rows x columns elements on the device, zero where the host has no element.
template <typename T>
class DeviceMatrix {
 public:
  T* data = nullptr;

  DeviceMatrix(int rows, int columns) : columns_(columns) {
    const size_t bytes = sizeof(T) * rows * columns;
    HANDLE_ERROR(cudaMalloc(&data, bytes));
    HANDLE_ERROR(cudaMemset(data, 0, bytes));
  }
  ~DeviceMatrix() { cudaFree(data); }
  DeviceMatrix(const DeviceMatrix&) = delete;
  DeviceMatrix& operator=(const DeviceMatrix&) = delete;

  // Copies between the upper left rows x columns elements and a host matrix of that size.
  void copy_from(const T* host, int rows, int columns) const {
    HANDLE_ERROR(cudaMemcpy2D(data, columns_ * sizeof(T), host, columns * sizeof(T),
                              columns * sizeof(T), rows, cudaMemcpyHostToDevice));
  }
  void copy_to(T* host, int rows, int columns) const {
    HANDLE_ERROR(cudaMemcpy2D(host, columns * sizeof(T), data, columns_ * sizeof(T),
                              columns * sizeof(T), rows, cudaMemcpyDeviceToHost));
  }

 private:
  const size_t columns_;
};

// Starts the kernel for matrices on the device. No size is 0; each is a multiple of the tile's.
template <typename T>
using Launch = void (*)(const T* a, const T* b, float* c, Sizes sizes);

// c = a * b for matrices in host memory.
template <typename T>
void matmul(Launch<T> launch, Tile tile, const T* a, const T* b, float* c, Sizes s) {
  if (s.m == 0 || s.n == 0) return;
  if (s.k == 0) {  // empty sums
    std::fill_n(c, size_t(s.m) * s.n, 0.0f);
    return;
  }
  const Sizes all = padded(s, tile);
  const DeviceMatrix<T> dev_a(all.m, all.k), dev_b(all.k, all.n);
  const DeviceMatrix<float> dev_c(all.m, all.n);
  dev_a.copy_from(a, s.m, s.k);
  dev_b.copy_from(b, s.k, s.n);
  launch(dev_a.data, dev_b.data, dev_c.data, all);
  HANDLE_ERROR(cudaGetLastError());
  dev_c.copy_to(c, s.m, s.n);
}

// The kernel's time in milliseconds. The matrices are as large as those that it computed with, and
// hold the same numbers: with zeros only, a GPU needs less power and runs at a higher clock rate.
template <typename T>
double kernel_ms(Launch<T> launch, Tile tile, const T* a, const T* b, Sizes s) {
  const Sizes all = padded(s, tile);
  const DeviceMatrix<T> dev_a(all.m, all.k), dev_b(all.k, all.n);
  const DeviceMatrix<float> dev_c(all.m, all.n);
  dev_a.copy_from(a, s.m, s.k);
  dev_b.copy_from(b, s.k, s.n);
  return course::measure_device_ms([&] { launch(dev_a.data, dev_b.data, dev_c.data, all); });
}

// n numbers as a kernel reads them.
template <typename T>
std::vector<T> stored(const float* numbers, size_t n, T (*store)(float)) {
  std::vector<T> result(n);
  std::transform(numbers, numbers + n, result.begin(), store);
  return result;
}

// One way to compute the product. `rounding` is the largest relative error of an element of a or b
// that is stored in the kernel's number format; 0 for float.
struct Way {
  std::string words;
  double rounding;
  std::function<void(const float* a, const float* b, float* c, Sizes)> multiply;
  std::function<double(const float* a, const float* b, Sizes)> kernel_ms;
};

// `store` turns a float into what the kernel reads.
template <typename T>
Way way(
    const char* words, Launch<T> launch, Tile tile = {}, double rounding = 0,
    T (*store)(float) = [](float x) { return T(x); }) {
  const auto multiply = [=](const float* a, const float* b, float* c, Sizes s) {
    matmul(launch, tile, stored(a, size_t(s.m) * s.k, store).data(),
           stored(b, size_t(s.k) * s.n, store).data(), c, s);
  };
  const auto time = [=](const float* a, const float* b, Sizes s) {
    return kernel_ms(launch, tile, stored(a, size_t(s.m) * s.k, store).data(),
                     stored(b, size_t(s.k) * s.n, store).data(), s);
  };
  return {words, rounding, multiply, time};
}

// ---- Is the product right?

// Whole numbers from -4 to 4. They are exact as half and as tf32. Sums of k products are exact
// in float while k * 16 <= 2^24. So every order of the additions gives the same result.
constexpr int kLargestSize = 1 << 17;
inline std::vector<float> whole_numbers(size_t count, std::uint32_t seed) {
  course::Random random(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(static_cast<int>(random.below(9)) - 4);
  return numbers;
}

// Element (row, column) of a * b, for whole numbers.
inline double exact_element(const float* a, const float* b, Sizes s, int row, int column) {
  double sum = 0;
  for (int i = 0; i < s.k; i++)
    sum += double(a[row * size_t(s.k) + i]) * b[i * size_t(s.n) + column];
  return sum;
}

// matrix * x, modulo 2^64; the elements are whole numbers.
inline std::vector<std::uint64_t> times_vector(const float* matrix, int rows, int columns,
                                               const std::vector<std::uint64_t>& x) {
  std::vector<std::uint64_t> result(rows, 0);
  for (int row = 0; row < rows; row++)
    for (int i = 0; i < columns; i++)
      result[row] +=
          static_cast<std::uint64_t>(static_cast<std::int64_t>(matrix[row * size_t(columns) + i])) *
          x[i];
  return result;
}

// Compares c with a * b, all of whole numbers, without computing a * b: for a random vector x,
// c * x must be a * (b * x) (R. Freivalds, 1977). That takes n^2 steps instead of n^3. Sums are
// taken modulo 2^64, so they are exact, and a wrong row passes with a chance of about 2^-64.
inline course::Comparison check_product(const float* a, const float* b, const float* c, Sizes s) {
  const size_t count = size_t(s.m) * s.n;
  const double largest = 16.0 * s.k;
  for (size_t i = 0; i < count; i++)  // also false for NaN
    if (!(std::fabs(c[i]) <= largest && c[i] == std::floor(c[i]))) {
      const double right = exact_element(a, b, s, int(i / s.n), int(i % s.n));
      return course::compare("c", c + i, &right, 1);
    }
  course::Random random(20260923);
  std::vector<std::uint64_t> x(s.n);
  for (std::uint64_t& number : x) number = std::uint64_t(random.bits()) << 32 | random.bits();
  const auto got = times_vector(c, s.m, s.n, x);
  const auto expected = times_vector(a, s.m, s.k, times_vector(b, s.k, s.n, x));
  for (int row = 0; row < s.m; row++) {
    if (got[row] == expected[row]) continue;
    std::vector<double> right(s.n);
    for (int column = 0; column < s.n; column++)
      right[column] = exact_element(a, b, s, row, column);
    return course::compare("row " + std::to_string(row) + " of c", c + row * size_t(s.n),
                           right.data(), s.n);
  }
  return {};
}

// The largest error of c in `rows` of its rows, for numbers in [-1, 1), and the largest that is
// allowed. An element is off by at most (k * 2^-24 + 2 * rounding + rounding^2) * sum |a| * |b|:
// the additions in float (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), and
// the stored numbers.
struct Error {
  double largest = 0, allowed = 0;
  bool within = true;
};
inline Error error_of(const float* a, const float* b, const float* c, Sizes s, double rounding,
                      int rows) {
  const double bound = s.k * 0x1p-24 * 1.01 + 2 * rounding + rounding * rounding;
  Error error;
  for (int i = 0; i < std::min(rows, s.m); i++) {
    const int row = static_cast<int>((s.m - 1LL) * i / std::max(1, std::min(rows, s.m) - 1));
    std::vector<double> sum(s.n, 0.0), size(s.n, 0.0);
    for (int j = 0; j < s.k; j++)
      for (int column = 0; column < s.n; column++) {
        const double product = double(a[row * size_t(s.k) + j]) * b[j * size_t(s.n) + column];
        sum[column] += product;
        size[column] += std::fabs(product);
      }
    for (int column = 0; column < s.n; column++) {
      const double off = std::fabs(c[row * size_t(s.n) + column] - sum[column]);
      error.within = error.within && off <= bound * size[column];  // false for NaN
      error.largest = std::max(error.largest, off);
      error.allowed = std::max(error.allowed, bound * size[column]);
    }
  }
  return error;
}

inline bool verify_way(const Way& way, Sizes s) {
  const std::vector<float> a = whole_numbers(size_t(s.m) * s.k, 1);
  const std::vector<float> b = whole_numbers(size_t(s.k) * s.n, 2);
  std::vector<float> c(size_t(s.m) * s.n, NAN);
  way.multiply(a.data(), b.data(), c.data(), s);
  const course::Comparison outcome = check_product(a.data(), b.data(), c.data(), s);
  if (!outcome.equal) fprintf(stderr, "%s: %s\n", way.words.c_str(), outcome.message.c_str());
  return outcome.equal;
}

// The same with numbers that are rounded. Prints the error.
inline bool verify_error(const Way& way, Sizes s) {
  course::Random random(3);
  std::vector<float> a(size_t(s.m) * s.k), b(size_t(s.k) * s.n);
  std::vector<float> c(size_t(s.m) * s.n, NAN);
  for (float& x : a) x = random.uniform(-1, 1);
  for (float& x : b) x = random.uniform(-1, 1);
  way.multiply(a.data(), b.data(), c.data(), s);
  const Error error = error_of(a.data(), b.data(), c.data(), s, way.rounding, 4);
  if (!error.within) {
    fprintf(stderr, "%s: with numbers in [-1, 1) an element is off by %.3g, which is too much\n",
            way.words.c_str(), error.largest);
    return false;
  }
  printf("%-40s off by %.2g at most, %.2g allowed (numbers in [-1, 1), 4 rows)\n",
         way.words.c_str(), error.largest, error.allowed);
  return true;
}

// main(). `size`: rows and columns if no option says otherwise. `state_errors`: also multiplies
// numbers that are not whole and prints the errors.
inline int matmul_program(int argc, char** argv, const char* purpose, const std::vector<Way>& ways,
                          int size = 256, bool state_errors = false) {
  Sizes s = {size, size, size};
  course::Options options(purpose);
  options.number("m", &s.m, 0, kLargestSize, "rows of a and c");
  options.number("n", &s.n, 0, kLargestSize, "columns of b and c");
  options.number("k", &s.k, 0, kLargestSize, "columns of a, and rows of b");
  options.parse(argc, argv);
  const double elements = double(s.m) * s.k + double(s.k) * s.n + double(s.m) * s.n;
  course::require_memory(sizeof(float) * elements, 2.5 * sizeof(float) * elements);

  for (const Way& way : ways)
    if (!verify_way(way, s)) return course::kExitWrong;
  printf("%d x %d times %d x %d on %s: all verified\n", s.m, s.k, s.k, s.n,
         course::device_name().c_str());
  if (s.m == 0 || s.n == 0 || s.k == 0) return 0;
  for (const Way& way : ways)
    if (state_errors && !verify_error(way, s)) return course::kExitWrong;
  const double operations = 2.0 * s.m * s.n * s.k;  // a multiplication and an addition each
  const std::vector<float> a = whole_numbers(size_t(s.m) * s.k, 1);
  const std::vector<float> b = whole_numbers(size_t(s.k) * s.n, 2);
  for (const Way& way : ways) {
    const double ms = way.kernel_ms(a.data(), b.data(), s);
    printf("%-40s kernel %.4f ms, %.1f GFLOP/s\n", way.words.c_str(), ms, course::billions_per_second(operations, ms));
  }
  if (course::runs_on_cpu_device()) printf("(times on the CPU device say nothing about a GPU)\n");
  return 0;
}
