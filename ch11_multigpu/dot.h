// What the dot product programs share: the kernel, the reference, and the report. Each program
// decides where the data are and how they reach the device.
#pragma once

#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/lessons/dot_block.h"
#include "../common/lessons/dot_reference.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

constexpr int kThreads = 256;  // per block, a power of two

// One partial sum per block, into partial[0] to partial[gridDim.x - 1].
static __global__ void dot(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float cache[kThreads];
  course::add_up_block(a, b, n, cache);
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

// The CPU's part of the work: adds the blocks' sums, in double.
inline double finish(const float* partial, int blocks) {
  double sum = 0;
  for (int block = 0; block < blocks; block++) sum += partial[block];
  return sum;
}

// Compares with the CPU's sum in double. Each product takes part in the additions of its thread
// (the first, to 0, is exact) and in 8 of the tree for 256 threads. Each may round. The book's
// check hides these errors by printing only 6 digits.
inline bool verify_dot(double result, const float* a, const float* b, size_t n, int blocks) {
  const double per_thread = std::ceil(static_cast<double>(n) / (1.0 * blocks * kThreads));
  const DotReference reference = dot_reference(a, b, n, per_thread - 1 + 8);
  if (!course::verify("the dot product", &result, &reference.value, 1, 0, reference.bound))
    return false;
  printf("dot product %.9g, expected %.9g, verified\n", result, reference.value);
  return true;
}

// The options of a run.
struct Request {
  size_t size = 33 * 1024 * 1024;  // the book's
  int blocks = 0;                  // per device
};

// Blocks that keep the current device busy: 8 per multiprocessor. (The book takes 32 in all.)
inline int default_blocks() { return 8 * course::multiprocessors(); }

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
         course::billions_per_second(8.0 * n, times.end_to_end_ms),
         course::device_name().c_str());
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
}
