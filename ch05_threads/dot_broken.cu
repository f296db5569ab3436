// WRONG ON PURPOSE: the dot product with its barrier in a branch that only some threads take.
//
// The book's section 5.3.1, "dot product optimized (incorrectly)". What to look at: only threads
// with cache_index < half have something to add, so why should the others wait? Because
// __syncthreads() promises that *all* threads of the block have arrived, and those that skip the
// branch never do. Let the program tell you which threads wait, and which have left:
//
//   ./course run dot_broken      (./course check dot_broken explains it)
//
// By CUDA's rules anything may happen. The CPU device explains the mistake. The GPUs of the book's
// time waited forever, so the work is done in a child process under a watchdog. Since compute
// capability 7.0 threads that have ended count as arrived, and the sum may even be right: which is
// worse, for the mistake then waits for the day when a thread does something after the loop.
// compute-sanitizer --tool synccheck finds it.

#include <stdlib.h>

#include <cmath>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/broken.h"
#include "../common/options.h"
#include "../common/watchdog.h"
#include "dot_reference.h"

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 32;
constexpr double kTimeLimit = 20;  // seconds

__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float cache[kThreads];
  const unsigned cache_index = threadIdx.x;

  float sum = 0;
  const size_t first = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = first; i < n; i += stride) sum += a[i] * b[i];
  cache[cache_index] = sum;
  __syncthreads();

  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (cache_index < half) {
      cache[cache_index] += cache[cache_index + half];
      __syncthreads();  // WRONG: the threads from `half` on never come here
    }
  }
  if (cache_index == 0) partial[blockIdx.x] = cache[0];
}

// Computes the dot product of a and b, n elements each, as far as the device goes along; returns
// the error that it reports.
cudaError_t dot(const float* a, const float* b, size_t n, double* result) {
  const int blocks = static_cast<int>(
      (n + kThreads - 1) / kThreads < kMaxBlocks ? (n + kThreads - 1) / kThreads : kMaxBlocks);
  float *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));

  dot_kernel<<<blocks, kThreads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  // What goes wrong in a kernel is reported by a later call that waits for it.
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return error;

  std::vector<float> partial(blocks);
  HANDLE_ERROR(
      cudaMemcpy(partial.data(), dev_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  *result = 0;
  for (float one : partial) *result += one;
  return cudaSuccess;
}

// What dot() did in a child process, where it may hang without harm.
struct Outcome {
  bool hung = false;  // or crashed
  cudaError_t error = cudaSuccess;
  double result = 0;
};

Outcome dot_under_watchdog(const float* a, const float* b, size_t n) {
  course::SharedArray<Outcome> outcome(1);
  const course::Attempt attempt =
      course::attempt([&] { outcome[0].error = dot(a, b, n, &outcome[0].result); }, kTimeLimit);
  course::leave_like(attempt);
  outcome[0].hung = attempt.hung;
  if (!attempt.hung && (attempt.signal != 0 || attempt.exit_code != 0)) exit(course::kExitWrong);
  return outcome[0];
}

int main(int argc, char** argv) {
  size_t n = 33 * 1024;
  course::Options options("Wrong on purpose: a dot product whose barrier not all threads reach.");
  options.number("size", &n, 0, 1 << 26, "elements");
  options.parse(argc, argv);

  std::vector<float> a(n), b(n);
  for (size_t i = 0; i < n; i++) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
  if (n == 0) {
    printf("without elements there is no block, and nothing to see: take a larger --size\n");
    return 0;
  }
  const Outcome outcome = dot_under_watchdog(a.data(), b.data(), n);

  // The same bound as in dot.cu.
  const double chain = std::ceil(n / (1.0 * kThreads)) + std::log2(kThreads);
  const DotReference reference = dot_reference(a.data(), b.data(), n, chain);
  const bool right = std::fabs(outcome.result - reference.value) <= reference.bound;
  std::string what;
  if (outcome.hung)
    what = "the kernel hung, and was ended after " + std::to_string(int(kTimeLimit)) + " seconds";
  else if (outcome.error != cudaSuccess)
    what = std::string("the device reports '") + cudaGetErrorString(outcome.error) + "'";
  else
    what = "the sum is " + std::to_string(outcome.result) + " instead of " +
           std::to_string(reference.value);
  // The CPU device can be told to be as lenient as today's GPUs.
  const char* exited = getenv("CPU_DEVICE_EXITED_THREADS");
  const bool may_hide = exited != nullptr && std::string(exited) == "ignore";
  return course::broken_as_intended(
      outcome.hung || outcome.error != cudaSuccess || !right, what,
      "the sum is right, because on this device threads that have ended count as arrived; it is "
      "wrong all the same, and compute-sanitizer --tool synccheck says so",
      may_hide);
}
