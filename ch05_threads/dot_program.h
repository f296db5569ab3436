// Not the lesson: what the dot product programs need besides their kernels. A program defines
// launch() and block_additions(), and calls dot_program(), or dot_broken_program() if it is wrong
// on purpose.
#pragma once

#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/lessons/dot_reference.h"
#include "../common/program/broken_on_purpose.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

constexpr int kMaxThreads = 1024;  // of a block

// Two vectors on the device, n elements each, and room for one sum per block. (The results of
// cudaFree are ignored: after a failed kernel, they would repeat its error.)
class DotVectors {
 public:
  const size_t n;
  const int blocks;
  float *a = nullptr, *b = nullptr, *partial = nullptr;

  DotVectors(const float* host_a, const float* host_b, size_t count, int block_count)
      : n(count), blocks(block_count) {
    HANDLE_ERROR(cudaMalloc(&a, n * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&b, n * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&partial, blocks * sizeof(float)));
    copy_to_device(host_a, host_b);
  }
  ~DotVectors() {
    cudaFree(a);
    cudaFree(b);
    cudaFree(partial);
  }
  DotVectors(const DotVectors&) = delete;
  DotVectors& operator=(const DotVectors&) = delete;

  void copy_to_device(const float* host_a, const float* host_b) const {
    HANDLE_ERROR(cudaMemcpy(a, host_a, n * sizeof(float), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(b, host_b, n * sizeof(float), cudaMemcpyHostToDevice));
  }

  // Waits for the kernel, and adds the sums of the blocks on the CPU.
  double sum_of_partials() const {
    std::vector<float> sums(blocks);
    HANDLE_ERROR(cudaMemcpy(sums.data(), partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (float one : sums) sum += one;
    return sum;
  }
};

// Defined by each program: launches the kernel with `threads` threads per block.
void launch(const DotVectors& vectors, int threads);

// Defined by each program: the longest chain of additions that combines the sums of a block.
double block_additions(int threads);

// As many blocks as there is work for, max_blocks at most.
inline int blocks_for(size_t n, int threads, int max_blocks) {
  return static_cast<int>(std::min<size_t>(max_blocks, (n + threads - 1) / threads));
}

// Defined by each program, or by dot_by_launch.h for those that differ only in launch(): the dot
// product of a and b, n elements each, on the device.
double dot(const float* a, const float* b, size_t n, int threads, int max_blocks);

// The longest chain of additions in the kernel, for the error bound.
inline double additions(size_t n, int threads, int max_blocks) {
  const double all_threads = 1.0 * threads * std::max(1, blocks_for(n, threads, max_blocks));
  return std::ceil(n / all_threads) + block_additions(threads);
}

// Prints where the time goes.
inline void print_times(const std::vector<float>& a, const std::vector<float>& b, int threads,
                        int max_blocks) {
  const size_t n = a.size();
  double kernel_ms = 0, copies_ms = 0;
  {
    const DotVectors vectors(a.data(), b.data(), n, blocks_for(n, threads, max_blocks));
    copies_ms = course::measure_host_ms([&] { vectors.copy_to_device(a.data(), b.data()); });
    kernel_ms = course::measure_device_ms([&] { launch(vectors, threads); });
  }
  const double end_to_end_ms =
      course::measure_host_ms([&] { dot(a.data(), b.data(), n, threads, max_blocks); });
  printf("kernel %.4f ms, copies %.3f ms, end to end %.3f ms\n", kernel_ms, copies_ms,
         end_to_end_ms);
  printf("the kernel reads %.1f GB/s; a copy within the device's memory moves %.1f GB/s\n",
         course::billions_per_second(2.0 * sizeof(float) * n, kernel_ms), course::measure_copy_gb_per_s());
  if (course::runs_on_cpu_device()) printf("(times on the CPU device say nothing about a GPU)\n");
}

// What a kernel requires of the number of threads per block.
// kTile: it has none; the number is that of a tile's elements.
enum class Threads { kAny, kPowerOfTwo, kWholeWarps, kTile };

// Ends the program if the kernel does not support this number of threads.
inline void require_threads(int threads, Threads kind) {
  if (kind == Threads::kPowerOfTwo && (threads & (threads - 1)) != 0)
    course::bad_usage("--threads must be a power of two, not " + std::to_string(threads) +
                      ": each step halves the number of threads that add");
  if (kind == Threads::kTile && (threads & (threads - 1)) != 0)
    course::bad_usage("--tile must be a power of two, not " + std::to_string(threads));
  if (kind == Threads::kWholeWarps && threads % 32 != 0)
    course::bad_usage("--threads must be a multiple of 32, not " + std::to_string(threads) +
                      ": all lanes of a warp take part");
}

// The main() of a correct program.
inline int dot_program(int argc, char** argv, const char* purpose, Threads kind) {
  size_t n = 33 * 1024;
  int threads = 256, max_blocks = 32;
  course::Options options(purpose);
  options.number("size", &n, 0, 1LL << 40, "elements");
  const bool has_tiles = kind == Threads::kTile;
  options.number(has_tiles ? "tile" : "threads", &threads, 1, kMaxThreads,
                 has_tiles                      ? "elements of a tile, a power of two"
                 : kind == Threads::kAny        ? "threads per block"
                 : kind == Threads::kPowerOfTwo ? "threads per block, a power of two"
                                                : "threads per block, a multiple of 32");
  options.number("blocks", &max_blocks, 1, 65536, "blocks at most");
  options.parse(argc, argv);
  require_threads(threads, kind);
  course::require_memory(2.0 * sizeof(float) * n, 2.0 * sizeof(float) * n);

  std::vector<float> a(n), b(n);
  fill_like_the_book(a.data(), b.data(), n);
  const double result = dot(a.data(), b.data(), n, threads, max_blocks);

  const DotReference reference =
      dot_reference(a.data(), b.data(), n, additions(n, threads, max_blocks));
  if (!course::verify("the dot product", &result, &reference.value, 1, 0, reference.bound))
    return course::kExitWrong;
  printf("dot product of %s by %s of %s on %s\n", course::count_of(n, "element").c_str(),
         course::count_of(blocks_for(n, threads, max_blocks), "block").c_str(),
         course::count_of(threads, has_tiles ? "element" : "thread").c_str(),
         course::device_name().c_str());
  printf("%.9g, in double %.9g: off by %.2g, at most %.2g is allowed\n", result, reference.value,
         std::fabs(result - reference.value), reference.bound);
  printf("by the formula: %.9g\n", dot_by_the_formula(n));
  if (n > 0) print_times(a, b, threads, max_blocks);
  return 0;
}

// Computes the dot product with a kernel that may hang or fail, in a child process with a watchdog.
inline course::Outcome<double> dot_under_watchdog(const float* a, const float* b, size_t n,
                                                  int threads = 256, int max_blocks = 32) {
  return course::under_watchdog<double>([=](double* result) {
    const DotVectors vectors(a, b, n, blocks_for(n, threads, max_blocks));
    launch(vectors, threads);
    // Errors of a kernel are reported by a later call that waits for it.
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) *result = vectors.sum_of_partials();
    return error;
  });
}

// The main() of a program that is wrong on purpose. `elsewhere` says why its sum may be right. If
// `may_hide` is true, it may also be right on the CPU device.
inline int dot_broken_program(int argc, char** argv, const char* purpose, const char* elsewhere,
                              bool may_hide) {
  size_t n = 33 * 1024;
  course::Options options(purpose);
  options.number("size", &n, 0, 1 << 26, "elements");
  options.parse(argc, argv);
  if (n == 0) {
    printf("without elements there is no block and nothing to see: choose a larger --size\n");
    return 0;
  }
  std::vector<float> a(n), b(n);
  fill_like_the_book(a.data(), b.data(), n);
  const course::Outcome<double> outcome = dot_under_watchdog(a.data(), b.data(), n);

  const DotReference reference = dot_reference(a.data(), b.data(), n, additions(n, 256, 32));
  const bool wrong = !(std::fabs(outcome.result - reference.value) <= reference.bound);
  return course::broken_as_intended(outcome, wrong,
                                    "the sum is " + std::to_string(outcome.result) +
                                        " instead of " + std::to_string(reference.value),
                                    elsewhere, may_hide);
}
