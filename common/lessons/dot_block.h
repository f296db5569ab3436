// A block's part of a dot product: chapter 5 builds it step by step, chapter 11 and appendix A use
// it.
#pragma once

#include <stddef.h>

namespace course {

// The sum of the products that fall to this block, in cache[0] for thread 0. `cache`, in shared
// memory, has an element for each thread; blockDim.x is a power of two.
static __device__ void add_up_block(const float* a, const float* b, size_t n, float* cache) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  float sum = 0;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
}

}  // namespace course
