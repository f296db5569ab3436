// Computes the dot product with cooperative groups, whose library adds the sums.
//
// Not in the book. A group is an object that represents a set of threads. It provides their number,
// the rank of the calling thread, and a barrier. What to look at, compared with dot_shuffle: the
// code says what is added, and no longer how. cg::reduce() uses shuffles, or, for integers since
// compute capability 8.0, one instruction that adds over a whole warp.
//
//   ./course run dot_groups

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cmath>

#include "../common/handle_error.h"
#include "dot_by_launch.h"

namespace cg = cooperative_groups;

constexpr int kWarp = 32;

// Each block stores the sum of its products in partial[blockIdx.x]. blockDim.x must be a multiple
// of 32.
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float warp_sums[kWarp];  // one for each warp: 32 at most
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<kWarp> warp = cg::tiled_partition<kWarp>(block);

  float sum = 0;  // stays 0 in threads without elements
  for (size_t i = grid.thread_rank(); i < n; i += grid.size()) sum += a[i] * b[i];

  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) warp_sums[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() != 0) return;
  const unsigned lane = warp.thread_rank();
  sum = cg::reduce(warp, lane < warp.meta_group_size() ? warp_sums[lane] : 0, cg::plus<float>());
  if (lane == 0) partial[blockIdx.x] = sum;
}

void launch(const DotVectors& vectors, int threads) {
  dot_kernel<<<vectors.blocks, threads>>>(vectors.a, vectors.b, vectors.n, vectors.partial);
  HANDLE_ERROR(cudaGetLastError());
}

// ---- Checking and timing, not the lesson.

double block_additions(int) { return 2 * std::log2(kWarp); }

int main(int argc, char** argv) {
  return dot_program(argc, argv, "The dot product of two vectors, added up by groups.",
                     Threads::kWholeWarps);
}
