// Tiles of 64 threads reverse their part of an array; a shuffle within a warp would not do, and
// neither does the barrier of the warp.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int result[256];

__global__ void reverse() {
  __shared__ int part[256];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(block);
  const unsigned first = threadIdx.x / 64 * 64;
  part[threadIdx.x] = threadIdx.x;  // finds race-block
#ifdef RIGHT
  tile.sync();
#else
  __syncwarp();
#endif
  result[threadIdx.x] = part[first + 63 - tile.thread_rank()];  // finds race-block
}

int main() {
  reverse<<<1, 256>>>();
  cudaDeviceSynchronize();
}
