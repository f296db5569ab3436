// The tile's barrier orders its 32 threads; the element comes from another tile.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int values[128];

__global__ void rotate() {
  __shared__ int copy[128];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int t = block.thread_rank();
  copy[t] = values[t];  // finds race-block
#ifdef RIGHT
  block.sync();
#else
  tile.sync();
#endif
  values[t] = copy[(t + tile.num_threads()) % 128];  // finds race-block
}

int main() {
  rotate<<<1, 128>>>();
  cudaDeviceSynchronize();
}
