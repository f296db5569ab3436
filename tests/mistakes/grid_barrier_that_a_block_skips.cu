// A block without work returns before the grid's barrier, and the others wait for it.
// gpu: hangs
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int values[256];

__global__ void shift() {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef RIGHT
  if (blockIdx.x * blockDim.x >= 192) return;
#endif
  const int mine = i + 1 < 256 ? values[i + 1] : 0;
  cg::this_grid().sync();  // finds barrier
  values[i] = mine;
}

int main() {
  cudaLaunchCooperativeKernel((void*)shift, 4, 64, nullptr, 0, 0);
  cudaDeviceSynchronize();
}
