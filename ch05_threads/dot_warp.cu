// Computes the dot product with a barrier of the warp in its last steps.
//
// Not in the book. Once 32 threads or fewer add, all of them belong to one warp, and so does each
// thread that reads their sums in the next step. __syncwarp() (CUDA 9, 2017) waits for the lanes of
// a warp and makes the writes of each lane visible to the others. The other warps do not wait. What
// to look at: older programs have no barrier there, because the lanes of a warp ran in lockstep.
// Since compute capability 7.0, lanes need not do so. A vote is no substitute: see dot_vote_broken.
//
//   ./course run dot_warp

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
      __syncwarp();  // reader and writer are in the same warp
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
