// The dot product of two vectors: threads of a block work together through shared memory.
//
// The book's section 5.3.1. What to look at: every thread adds up its share of the products and
// puts the sum into `cache`, which all threads of the block, and only they, can see. Then half of
// the threads add the other half's sums to theirs, then a quarter, and so on: 8 steps for 256
// threads.
// __syncthreads() makes all threads of the block wait for each other, so that nobody reads a sum
// that is not written yet. Every thread must reach it, those without work, too: see dot_broken.
//
// The CPU adds the blocks' sums (dot_program.h). The book takes 32 blocks; today's GPUs want more:
//
//   ./course run dot --size 268435456
//   ./course run dot --size 268435456 --blocks 1056

#include <cmath>

#include "../common/handle_error.h"
#include "dot_program.h"

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
    if (cache_index < half) cache[cache_index] += cache[cache_index + half];
    __syncthreads();  // outside the `if`
  }
  if (cache_index == 0) partial[blockIdx.x] = cache[0];
}

void launch(const DotVectors& vectors, int threads) {
  dot_kernel<<<vectors.blocks, threads>>>(vectors.a, vectors.b, vectors.n, vectors.partial);
  HANDLE_ERROR(cudaGetLastError());
}

// ---- Checking and timing, not the lesson.

double block_additions(int threads) { return std::log2(threads); }

int main(int argc, char** argv) {
  return dot_program(argc, argv, "The dot product of two vectors on the device.",
                     Threads::kPowerOfTwo);
}
