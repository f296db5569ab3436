// WRONG ON PURPOSE: a dot product with a vote where a barrier of the warp is needed.
//
// Not in the book. __any_sync() collects a yes or no from all lanes of the warp, so all of them
// must reach it. It looks like a barrier. What to look at: a vote does not order memory accesses.
// The compiler may keep a sum in a register, and the hardware may write it later. __syncwarp() also
// orders memory for a warp, as __syncthreads() does for a block.
//
//   ./course run dot_vote_broken      (./course check dot_vote_broken explains it)
//
// The behavior is undefined. The sum is usually right, on GPUs and on the CPU device, so the
// mistake stays unnoticed. The checked run finds it in every order of threads.

#include <cmath>

#include "../common/handle_error.h"
#include "dot_by_launch.h"

constexpr unsigned kWarp = 32;

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
      const float other = cache[cache_index + half];
      cache[cache_index] += other;
    }
    if (half > kWarp)
      __syncthreads();
    else
      __any_sync(0xffffffffu, true);  // WRONG: orders no memory; must be __syncwarp()
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
  return dot_broken_program(
      argc, argv, "Wrong on purpose: a dot product that takes a vote for a barrier.",
      "the sum is right, because all sums happened to arrive in time; nothing promises that, "
      "and a checked run says so",
      true);
}
