// WRONG ON PURPOSE: a dot product whose barrier is in a branch that only some threads take.
//
// Section 5.3.1 of the book, "dot product optimized (incorrectly)". What to look at: only threads
// with cache_index < half have something to add. But __syncthreads() waits for *all* threads of the
// block, and the others never reach it. On the CPU device, it shows who waits:
//
//   ./course run dot_broken      (./course check dot_broken explains it)
//
// The behavior is undefined. The CPU device explains the mistake. The GPUs of the book's time
// waited forever, so a child process does the work and a watchdog ends it. Since compute capability
// 7.0, threads that have ended count as arrived, and the sum may even be right. That is worse: the
// mistake stays hidden until another barrier follows the loop. On such a GPU, compute-sanitizer
// --tool synccheck finds nothing. ./course check finds it.

#include <stdlib.h>

#include <cmath>
#include <string>

#include "../common/handle_error.h"
#include "dot_by_launch.h"

// Each block stores the sum of its products in partial[blockIdx.x]. blockDim.x must be a power of
// two, because each step halves the number of threads that add.
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float cache[kMaxThreads];  // one such array for each block
  const unsigned cache_index = threadIdx.x;

  float sum = 0;  // stays 0 in threads without elements
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = first; i < n; i += stride) sum += a[i] * b[i];
  cache[cache_index] = sum;
  __syncthreads();

  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (cache_index < half) {
      cache[cache_index] += cache[cache_index + half];
      __syncthreads();  // WRONG: the threads from `half` on never reach it
    }
  }
  if (cache_index == 0) partial[blockIdx.x] = cache[0];
}

void launch(const DotVectors& vectors, int threads) {
  dot_kernel<<<vectors.blocks, threads>>>(vectors.a, vectors.b, vectors.n, vectors.partial);
  HANDLE_ERROR(cudaGetLastError());
}

// ---- Checking, not the lesson.

double block_additions(int threads) { return std::log2(threads); }

int main(int argc, char** argv) {
  // The CPU device can be as lenient as today's GPUs.
  const char* exited = getenv("CPU_DEVICE_EXITED_THREADS");
  const bool may_hide = exited != nullptr && std::string(exited) == "ignore";
  return dot_broken_program(
      argc, argv, "Wrong on purpose: a dot product with a barrier that some threads never reach.",
      "the sum is right, because on this device threads that have ended count as arrived; it is "
      "wrong all the same, and ./course check dot_broken says why",
      may_hide);
}
