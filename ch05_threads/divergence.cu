// Measures the cost of a branch that only some threads of a warp take.
//
// Section 5.3.1 of the book, which warns against a barrier in such a branch (dot_broken). Without a
// barrier the branch is correct, but it can cost time. What to look at: the 32 threads of a warp
// share their instructions. If odd threads take one branch and even threads the other, the warp
// executes both, one after the other. If all threads of a warp agree, it executes only one.
//
//   ./course run divergence

#include <algorithm>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kSteps = 16384;  // enough work in a branch to see its time

// Two long computations, one for each branch: random numbers by Marsaglia's xorshift, with two
// different triples of shifts. No compiler can shorten them. It could shorten x = a * x + c: nvcc
// combines all 16384 steps of that into one multiply-add.
__host__ __device__ inline unsigned heads(unsigned x) {
  for (int i = 0; i < kSteps; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}
__host__ __device__ inline unsigned tails(unsigned x) {
  for (int i = 0; i < kSteps; i++) {
    x ^= x << 5;
    x ^= x >> 15;
    x ^= x << 17;
  }
  return x;
}

// Whether thread i takes the first branch. Width 1: neighbors take different branches. Width 32:
// the threads of a warp take the same one. Width 0: all threads take the same one.
__host__ __device__ inline bool takes_heads(unsigned i, unsigned width) {
  return width == 0 || i / width % 2 == 0;
}

__global__ void branch(unsigned* result, unsigned n, unsigned width) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // divergence in one warp at most, without cost: one side has no work
  if (takes_heads(i, width))
    result[i] = heads(i + 1);  // + 1, because 0 would stay 0
  else
    result[i] = tails(i + 1);
}

inline unsigned blocks_for(unsigned n) { return (n + kThreads - 1) / kThreads; }

// result[i] = heads(i + 1) or tails(i + 1), for n elements, on the device.
void diverge(unsigned* result, unsigned n, unsigned width) {
  if (n == 0) return;
  unsigned* dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_result, n * sizeof(unsigned)));
  branch<<<blocks_for(n), kThreads>>>(dev_result, n, width);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(result, dev_result, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_result));
}

// ---- Checking and timing, not the lesson.

double kernel_ms(unsigned n, unsigned width) {
  unsigned* dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_result, n * sizeof(unsigned)));
  const double ms =
      course::measure_device_ms([=] { branch<<<blocks_for(n), kThreads>>>(dev_result, n, width); });
  HANDLE_ERROR(cudaFree(dev_result));
  return ms;
}

// Computes the same on the CPU.
std::vector<unsigned> reference(unsigned n, unsigned width) {
  std::vector<unsigned> result(n);
  for (unsigned i = 0; i < n; i++) result[i] = takes_heads(i, width) ? heads(i + 1) : tails(i + 1);
  return result;
}

constexpr struct {
  unsigned width;
  const char* words;
} kCases[] = {{0, "all threads take the same branch"},
              {kWarp, "every other warp takes the other"},
              {1, "every other thread takes the other"}};

// Estimates the time of main(): three cases, on the CPU and on the device. Each kernel runs once
// for its result and several times for its time.
double estimate_s(unsigned n) {
  const double reference_s = course::estimate_s(n, kThreads, [] { reference(kThreads, 1); });
  const unsigned part = course::device_threads();
  std::vector<unsigned> result(part);
  const double kernel_s = course::estimate_s(n, part, [&] { diverge(result.data(), part, 1); });
  return 3 * (reference_s + kernel_s + 1e-3 * course::measuring_ms(1e3 * kernel_s));
}

int main(int argc, char** argv) {
  unsigned n = 8192;
  course::Options options("Measures what it costs when threads of a warp take different branches.");
  options.number("size", &n, 0, 1 << 24, "threads");
  options.parse(argc, argv);
  const double bytes = sizeof(unsigned) * double(n);
  course::require_memory(bytes, 2 * bytes);

  course::LongRun long_run(estimate_s(n), 3 * bytes);
  for (const auto& one : kCases) {
    std::vector<unsigned> result(n);
    diverge(result.data(), n, one.width);
    const std::vector<unsigned> expected = reference(n, one.width);
    long_run.hide();
    if (!course::verify(one.words, result.data(), expected.data(), n)) return course::kExitWrong;
  }

  printf("%s on %s, all results verified\n", course::count_of(n, "thread").c_str(),
         course::device_name().c_str());
  if (n == 0) return 0;
  double same_ms = 0;  // without divergence
  for (const auto& one : kCases) {
    const double ms = kernel_ms(n, one.width);
    if (one.width == 0) same_ms = ms;
    long_run.hide();
    printf("%-36s kernel %.4f ms, %.2f times the first\n", one.words, ms, ms / same_ms);
  }
  if (course::runs_on_cpu_device())
    printf("(times on the CPU device say nothing about a GPU; it has no warps)\n");
  return 0;
}
