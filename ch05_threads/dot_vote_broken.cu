// WRONG ON PURPOSE: the dot product with a vote where a barrier of the warp must be.
//
// Today, against dot_warp: __any_sync() asks all lanes of the warp a question, so they all come to
// it, and then, one thinks, all have written their sums. What to look at: who meets has not yet
// seen. A vote orders no memory: the compiler may keep a sum in a register, and the hardware may
// deliver it later. __syncwarp() does both, as __syncthreads() does for a block.
//
//   ./course run dot_vote_broken      (./course check dot_vote_broken explains it)
//
// By CUDA's rules anything may happen. Mostly the sum is right, on GPUs and on the CPU device,
// which is what makes this mistake last; the checked run finds it in any order.

#include <cmath>

#include "../common/handle_error.h"
#include "dot_program.h"

constexpr unsigned kWarp = 32;

// Each block leaves the sum of its products in partial[blockIdx.x]. blockDim.x must be a power of
// two, or the halves would leave somebody out.
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float cache[kMaxThreads];  // one for each block
  const unsigned cache_index = threadIdx.x;

  float sum = 0;  // stays 0 in threads without elements, which then add nothing below
  const size_t first = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
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
      __any_sync(0xffffffffu, true);  // WRONG: the lanes meet here, their sums need not
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
