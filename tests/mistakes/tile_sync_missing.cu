// Tiles of 8 threads pass values on through shared memory without a barrier of the tile.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int results[64];

__global__ void rotate_tiles() {
  __shared__ int values[64];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int t = block.thread_rank(), first = t - tile.thread_rank();
  values[t] = t;  // finds race-warp
#ifdef RIGHT
  tile.sync();
#endif
  results[t] = values[first + (tile.thread_rank() + 1) % 8];  // finds race-warp
}

int main() {
  rotate_tiles<<<1, 64>>>();
  cudaDeviceSynchronize();
}
