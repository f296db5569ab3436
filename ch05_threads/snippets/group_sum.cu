// Sums an array with cooperative groups: a warp is an object that can reduce.
// Topic: warps
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

namespace cg = cooperative_groups;

// Each warp adds the sum of its elements to partial[its number].
__global__ void sum_kernel(const float* data, int n, float* partial) {
  const cg::grid_group grid = cg::this_grid();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float sum = 0;
  for (size_t i = grid.thread_rank(); i < static_cast<size_t>(n); i += grid.size()) sum += data[i];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) partial[grid.thread_rank() / 32] = sum;
}

// Returns the sum of n elements.
float sum(const float* data, int n) {
  const int blocks = 8, threads = 128, warps = blocks * threads / 32;
  float partial[warps], *dev_data, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, sizeof(partial)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n * sizeof(float), cudaMemcpyHostToDevice));
  sum_kernel<<<blocks, threads>>>(dev_data, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(partial, dev_partial, sizeof(partial), cudaMemcpyDeviceToHost));
  cudaFree(dev_data);
  cudaFree(dev_partial);
  float total = 0;
  for (float part : partial) total += part;
  return total;
}

int main() {
  const std::vector<float> data(10007, 2.0f);
  const float total = sum(data.data(), 10007);
  printf("sum: %g\n", total);
  return total == 20014 ? 0 : 1;
}
