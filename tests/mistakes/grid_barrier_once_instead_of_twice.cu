// A count that all blocks read and one block then clears for the next turn: a barrier before the
// reads is not enough, one must also keep the block that clears from coming too early.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int count, seen[8];

__global__ void turns() {
  const cg::grid_group grid = cg::this_grid();
  for (int turn = 0; turn < 3; turn++) {
    if (threadIdx.x == 0) atomicAdd(&count, 1);
    grid.sync();
    if (threadIdx.x == 0) seen[blockIdx.x] = count;  // finds race-grid
#ifdef RIGHT
    grid.sync();
#endif
    if (grid.thread_rank() == 0) count = 0;  // finds race-grid
    grid.sync();
  }
}

int main() {
  cudaLaunchCooperativeKernel((void*)turns, 8, 32, nullptr, 0, 0);
  cudaDeviceSynchronize();
}
