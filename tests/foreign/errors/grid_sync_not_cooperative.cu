// expect: launch the kernel with cudaLaunchCooperativeKernel()
#include <cooperative_groups.h>
__global__ void k() { cooperative_groups::this_grid().sync(); }
int main() {
  k<<<2, 32>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
