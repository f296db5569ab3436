// One block adds the others' sums; only grid.sync() says that these are complete.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sum_all(const unsigned* values, unsigned* sums, unsigned* result) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, values[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;  // finds race-grid
#ifdef RIGHT
  cg::this_grid().sync();
#endif
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    unsigned total = 0;
    for (unsigned i = 0; i < gridDim.x; i++) total += sums[i];  // finds race-grid
    *result = total;
  }
}

int main() {
  unsigned *values, *sums, *result;
  cudaMallocManaged(&values, 512 * sizeof(unsigned));
  cudaMallocManaged(&sums, 8 * sizeof(unsigned));
  cudaMallocManaged(&result, sizeof(unsigned));
  for (int i = 0; i < 512; i++) values[i] = i;
  void* arguments[] = {&values, &sums, &result};
  cudaLaunchCooperativeKernel((void*)sum_all, 8, 64, arguments, 0, 0);
  cudaDeviceSynchronize();
  printf("%u\n", *result);
  cudaFree(values);
  cudaFree(sums);
  cudaFree(result);
}
