// The dot product whose last steps need no barrier of the block: a warp waits for itself.
//
// Today, against dot: once 32 threads are left that add, they are all of one warp, and so are those
// whose sums they read. __syncwarp() (2017) makes the lanes of a warp meet, and what they wrote
// visible to each other; the other warps need not wait. What to look at: the book's time left such
// barriers out, since the lanes of a warp ran in step. They need not any more. And a vote is none:
// see dot_vote_broken.
//
//   ./course run dot_warp

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
      __syncwarp();  // who reads next is of the same warp as who wrote
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
  return dot_program(argc, argv, "The dot product of two vectors; its last steps in one warp.",
                     Threads::kPowerOfTwo);
}
