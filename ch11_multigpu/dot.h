// What the dot product programs share: the kernel, the data, the reference, and the report. Where
// the data are and how they get to the device is each program's own.
#pragma once

#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../common/compare.h"
#include "../common/device.h"
#include "../common/handle_error.h"
#include "../common/options.h"
#include "../common/timing.h"

constexpr int kThreads = 256;  // per block, a power of two

// One partial sum per block, into partial[0] to partial[gridDim.x - 1]: every thread adds up the
// products that fall to it, and the block adds up its threads' sums in halves.
static __global__ void dot(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float cache[kThreads];
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

// The CPU's share of the work: the few sums that are left, in double.
inline double finish(const float* partial, int blocks) {
  double sum = 0;
  for (int block = 0; block < blocks; block++) sum += partial[block];
  return sum;
}

// The book's data. From 2^24 on a float cannot hold every i; the nearest one is taken.
inline void fill_like_the_book(float* a, float* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(i * 2);
  }
}

// Compares with the CPU's sum in double. A float sum is off by at most one rounding, 2^-24 of the
// sum of all |a[i] * b[i]|, per addition that a term goes through: those of its thread, 8 in halves
// for 256 threads, and the product's own. The closed form of the book's check hides such errors by
// printing 6 digits; a float sum on the CPU, one after the other, would be off by 0.3 % itself.
inline bool verify_dot(double result, const float* a, const float* b, size_t n, int blocks) {
  double expected = 0, magnitude = 0;
  for (size_t i = 0; i < n; i++) {
    const double product = static_cast<double>(a[i]) * b[i];
    expected += product;
    magnitude += std::fabs(product);
  }
  const double additions = std::ceil(static_cast<double>(n) / (1.0 * blocks * kThreads)) + 8 + 1;
  if (!course::verify("the dot product", &result, &expected, 1, 0, additions * 0x1p-24 * magnitude))
    return false;
  printf("dot product %.9g, expected %.9g, verified\n", result, expected);
  return true;
}

// What the user asked for.
struct Request {
  size_t size = 33 * 1024 * 1024;  // the book's
  int blocks = 0;                  // per device
};

// Blocks that keep the current device busy: 8 per multiprocessor. (The book takes 32 in all.)
inline int default_blocks() {
  int device = 0, multiprocessors = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return 8 * multiprocessors;
}

inline void add_options(course::Options& options, Request* request) {
  options.number("size", &request->size, 0, 1LL << 36, "elements of each vector");
  options.number("blocks", &request->blocks, 0, 65535, "blocks, 0: 8 per multiprocessor");
}

// Where the time goes, without any allocation. Zero-copy has no copies.
struct Times {
  double copy_ms = 0, kernel_ms = 0, end_to_end_ms = 0;
};

// The medians of several runs.
inline Times median_times(const std::vector<Times>& all) {
  std::vector<double> copy, kernel, end_to_end;
  for (const Times& times : all) {
    copy.push_back(times.copy_ms);
    kernel.push_back(times.kernel_ms);
    end_to_end.push_back(times.end_to_end_ms);
  }
  return {course::median(copy), course::median(kernel), course::median(end_to_end)};
}

inline void print_times(const Times& times, size_t n) {
  printf("copies %.2f ms, kernel %.2f ms, end to end %.2f ms: %.2f GB/s; %s\n", times.copy_ms,
         times.kernel_ms, times.end_to_end_ms,
         times.end_to_end_ms > 0 ? 8e-6 * n / times.end_to_end_ms : 0,
         course::device_name().c_str());
}
