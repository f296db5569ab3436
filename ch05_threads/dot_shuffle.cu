// The dot product whose sums go from lane to lane, without shared memory.
//
// Today, against dot: __shfl_down_sync() hands a lane the value that another lane of its warp holds
// in a register. The tree is the same, 16, 8, 4, 2, 1. What to look at: five steps and no barrier,
// because a shuffle moves the value itself and needs no memory that must be ready; one barrier is
// left, between the sums of the warps and the warp that adds them. All 32 lanes must take part, so
// the number of threads is a multiple of 32.
//
//   ./course run dot_shuffle

#include <cmath>

#include "../common/handle_error.h"
#include "dot_program.h"

constexpr int kWarp = 32;

// The sum over a warp, in its first lane: each lane adds what the lane `offset` further on holds.
__device__ float warp_sum(float sum) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  return sum;
}

// Each block leaves the sum of its products in partial[blockIdx.x]. blockDim.x must be a multiple
// of 32.
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float warp_sums[kWarp];  // one for each warp: 32 at most
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;

  float sum = 0;  // stays 0 in threads without elements, which then add nothing below
  const size_t first = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = first; i < n; i += stride) sum += a[i] * b[i];

  sum = warp_sum(sum);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();  // the only one
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
