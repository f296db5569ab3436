// Computes the dot product with shuffles: sums move from lane to lane without shared memory.
//
// Not in the book. __shfl_down_sync() returns the value that another lane of the warp holds in a
// register. What to look at, compared with dot: the last five steps of the tree are the same (16,
// 8, 4, 2, 1). They need no barrier, because a shuffle moves the value itself. One barrier is left,
// before one warp adds the sums of all warps. All 32 lanes must take part, so the number of threads
// is a multiple of 32.
//
//   ./course run dot_shuffle

#include <cmath>

#include "../common/handle_error.h"
#include "dot_by_launch.h"

constexpr int kWarp = 32;

// The sum over a warp, in its lane 0: each lane adds the value of the lane that is
// `offset` places higher.
__device__ float warp_sum(float sum) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  return sum;
}

// Each block stores the sum of its products in partial[blockIdx.x]. blockDim.x must be a multiple
// of 32.
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float warp_sums[kWarp];  // one for each warp: 32 at most
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;

  float sum = 0;  // stays 0 in threads without elements
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = first; i < n; i += stride) sum += a[i] * b[i];

  sum = warp_sum(sum);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();  // the only barrier
  if (warp != 0) return;
  sum = warp_sum(lane < blockDim.x / kWarp ? warp_sums[lane] : 0);
  if (lane == 0) partial[blockIdx.x] = sum;
}

void launch(const DotVectors& vectors, int threads) {
  dot_kernel<<<vectors.blocks, threads>>>(vectors.a, vectors.b, vectors.n, vectors.partial);
  HANDLE_ERROR(cudaGetLastError());
}

// ---- Checking and timing, not the lesson.

double block_additions(int) { return 2 * std::log2(kWarp); }

int main(int argc, char** argv) {
  return dot_program(argc, argv, "The dot product of two vectors, added up by shuffles.",
                     Threads::kWholeWarps);
}
