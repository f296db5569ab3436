#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <vector>

#include "book.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 128;  // a power of two
constexpr int kBlocks = 6;

// one atomicAdd per warp into a single sum
__global__ void dot_kernel(const float* a, const float* b, int n, float* total) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  __shared__ float sum_of_block;
  if (block.thread_rank() == 0) sum_of_block = 0;
  block.sync();
  float own = 0;
  for (int i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) own += a[i] * b[i];
  own = cg::reduce(warp, own, cg::plus<float>());
  if (warp.thread_rank() == 0) atomicAdd(&sum_of_block, own);
  cg::sync(block);
  if (block.thread_rank() == 0) atomicAdd(total, sum_of_block);
}

float dot(const float* a, const float* b, int n) {
  float *dev_a, *dev_b, *dev_total, total;
  const size_t bytes = n * sizeof(float);
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_total, sizeof(float)));
  HANDLE_ERROR(cudaMemset(dev_total, 0, sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
  dot_kernel<<<kBlocks, kThreads>>>(dev_a, dev_b, n, dev_total);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&total, dev_total, sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_total));
  return total;
}
