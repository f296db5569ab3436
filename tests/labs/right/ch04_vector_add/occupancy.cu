#include <algorithm>
#include "book.h"

constexpr int kThreads = 256;

__global__ void __launch_bounds__(1024)
add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  const int step = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    c[i] = __ldg(&a[i]) + __ldg(b + i);
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n <= 0) return;
  int min_grid = 0, block = kThreads;
  HANDLE_ERROR(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, add, 0, 0));
  float* dev;  // one allocation for all three
  HANDLE_ERROR(cudaMalloc(&dev, 3 * size_t(n) * sizeof(float)));
  float *dev_a = dev, *dev_b = dev + n, *dev_c = dev + 2 * n;
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));
  add<<<std::min(min_grid, (n + block - 1) / block), block>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaPeekAtLastError());
  HANDLE_ERROR(cudaMemcpy(c, dev_c, n * sizeof(float), cudaMemcpyDefault));
  HANDLE_ERROR(cudaFree(dev));
}
