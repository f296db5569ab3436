// Not the lesson: what the dot product programs have besides the kernel, in ch05_threads. A program
// has launch() and block_additions(), and calls dot_program() or, if it is wrong on purpose,
// dot_broken_program().
#pragma once

#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../common/program/broken_on_purpose.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/lessons/dot_reference.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

constexpr int kMaxThreads = 1024;  // of a block

// Two vectors on the device, n elements each, and room for a sum of each block. (What cudaFree says
// is not asked for: after a kernel that failed it would be that failure once more.)
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

  // Waits for the kernel, and adds the blocks' sums on the CPU.
  double sum_of_partials() const {
    std::vector<float> sums(blocks);
    HANDLE_ERROR(cudaMemcpy(sums.data(), partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (float one : sums) sum += one;
    return sum;
  }
};

// Each program's own: starts the kernel with `threads` threads in each block.
void launch(const DotVectors& vectors, int threads);

// Each program's own: the longest chain of additions by which a block's sums become one.
double block_additions(int threads);

// As many blocks as there is work for, max_blocks at most.
inline int blocks_for(size_t n, int threads, int max_blocks) {
  return static_cast<int>(std::min<size_t>(max_blocks, (n + threads - 1) / threads));
}

// The dot product of a and b, n elements each, on the device.
inline double dot(const float* a, const float* b, size_t n, int threads, int max_blocks) {
  if (n == 0) return 0;
  const DotVectors vectors(a, b, n, blocks_for(n, threads, max_blocks));
  launch(vectors, threads);
  return vectors.sum_of_partials();
}

// The longest chain of additions in the kernel, for the error bound.
inline double additions(size_t n, int threads, int max_blocks) {
  const double all_threads = 1.0 * threads * std::max(1, blocks_for(n, threads, max_blocks));
  return std::ceil(n / all_threads) + block_additions(threads);
}

// Prints where the time goes.
[[gnu::cold]] inline void print_times(const std::vector<float>& a, const std::vector<float>& b,
                                      int threads, int max_blocks) {
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
         2.0 * sizeof(float) * n / kernel_ms * 1e-6, course::measure_copy_gb_per_s());
}

// How many threads a kernel can do with.
enum class Threads { kAny, kPowerOfTwo, kWholeWarps };

// Ends the program if the kernel cannot do with so many.
inline void require_threads(int threads, Threads kind) {
  if (kind == Threads::kPowerOfTwo && (threads & (threads - 1)) != 0)
    course::bad_usage("--threads must be a power of two, not " + std::to_string(threads) +
                      ": every step halves the number of threads that add");
  if (kind == Threads::kWholeWarps && threads % 32 != 0)
    course::bad_usage("--threads must be a multiple of 32, not " + std::to_string(threads) +
                      ": all lanes of a warp take part");
}

// main().
[[gnu::cold]] inline int dot_program(int argc, char** argv, const char* purpose, Threads kind) {
  size_t n = 33 * 1024;
  int threads = 256, max_blocks = 32;
  course::Options options(purpose);
  options.number("size", &n, 0, 1LL << 40, "elements");
  options.number("threads", &threads, 1, kMaxThreads,
                 kind == Threads::kAny          ? "threads per block"
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
         course::count_of(threads, "thread").c_str(), course::device_name().c_str());
  printf("%.9g, in double %.9g: off by %.2g, %.2g would be allowed\n", result, reference.value,
         std::fabs(result - reference.value), reference.bound);
  printf("by the formula: %.9g\n", dot_by_the_formula(n));
  if (n > 0) print_times(a, b, threads, max_blocks);
  return 0;
}

// The dot product by a kernel that may hang or fail, in a child process under a watchdog.
inline course::Outcome<double> dot_under_watchdog(const float* a, const float* b, size_t n,
                                                  int threads = 256, int max_blocks = 32) {
  return course::under_watchdog<double>([=](double* result) {
    const DotVectors vectors(a, b, n, blocks_for(n, threads, max_blocks));
    launch(vectors, threads);
    // What goes wrong in a kernel is reported by a later call that waits for it.
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) *result = vectors.sum_of_partials();
    return error;
  });
}

// main() of a program that is wrong on purpose. `elsewhere` says why its sum may be right, and
// where `may_hide` is true, it may be so on the CPU device, too.
[[gnu::cold]] inline int dot_broken_program(int argc, char** argv, const char* purpose,
                                            const char* elsewhere, bool may_hide) {
  size_t n = 33 * 1024;
  course::Options options(purpose);
  options.number("size", &n, 0, 1 << 26, "elements");
  options.parse(argc, argv);
  if (n == 0) {
    printf("without elements there is no block, and nothing to see: take a larger --size\n");
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
