// The partner of a thread belongs to another tile of 4, which this tile's barrier does not cover.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int results[32];

__global__ void pair_up() {
  __shared__ int values[32];
  const cg::thread_block block = cg::this_thread_block();
#ifdef RIGHT
  const auto tile = cg::tiled_partition<8>(block);
#else
  const auto tile = cg::tiled_partition<4>(block);
#endif
  const int t = block.thread_rank();
  values[t] = t;  // finds race-warp
  tile.sync();
  results[t] = values[t ^ 4];  // finds race-warp
}

int main() {
  pair_up<<<1, 32>>>();
  cudaDeviceSynchronize();
}
