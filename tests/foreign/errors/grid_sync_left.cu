// expect: blocks wait, the others have left the kernel
#include <cooperative_groups.h>
__global__ void k() {
  if (blockIdx.x > 0) cooperative_groups::this_grid().sync();
}
int main() {
  cudaLaunchCooperativeKernel((void *)k, 3, 32, nullptr, 0, 0);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
