// Heat in a rod, many steps in one launch: each step reads what neighboring blocks wrote in the last.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kCells = 256, kSteps = 20;

__global__ void heat(float* now, float* next) {
  const cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < kSteps; step++) {
    const int left = i == 0 ? i : i - 1, right = i == kCells - 1 ? i : i + 1;
    const float mean = (now[left] + now[right]) / 2;  // finds race-grid
    next[i] = mean;                                   // finds race-grid
    float* const other = now;
    now = next;
    next = other;
#ifdef RIGHT
    grid.sync();
#else
    __syncthreads();  // for the block alone
#endif
  }
}

int main() {
  float *a, *b;
  cudaMalloc(&a, kCells * sizeof(float));
  cudaMalloc(&b, kCells * sizeof(float));
  cudaMemset(a, 0, kCells * sizeof(float));
  void* arguments[] = {&a, &b};
  cudaLaunchCooperativeKernel((void*)heat, dim3(4), dim3(64), arguments, 0, 0);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
