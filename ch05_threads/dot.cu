// Computes the dot product of two vectors: the threads of a block add their sums as a tree.
//
// Section 5.3.1 of the book. What to look at: every thread adds its products and stores the sum in
// `cache`, which all threads of its block share. Then half of the threads add the sums of the other
// half to theirs, then a quarter, and so on: 8 steps for 256 threads.
// __syncthreads() makes all threads of the block wait for each other, so that no thread reads a sum
// before it is written. Every thread must reach it, even without work: see dot_broken.
//
// The CPU adds the sums of the blocks. The book has 32 blocks. Today's GPUs need more to be busy:
//
//   ./course run dot --size 268435456
//   ./course run dot --size 268435456 --blocks 1056

#include <algorithm>
#include <cmath>
#include <vector>

#include "../common/handle_error.h"
#include "dot_program.h"

// Each block stores the sum of its products in partial[blockIdx.x]. blockDim.x must be a power of
// two, because each step halves the number of threads that add.
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float cache[kMaxThreads];  // one such array for each block
  const unsigned cache_index = threadIdx.x;

  float sum = 0;  // stays 0 in threads without elements
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = first; i < n; i += stride) sum += a[i] * b[i];
  cache[cache_index] = sum;
  __syncthreads();

  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (cache_index < half) cache[cache_index] += cache[cache_index + half];
    __syncthreads();  // outside the `if`
  }
  if (cache_index == 0) partial[blockIdx.x] = cache[0];
}

// Returns the dot product of a and b, n elements each. Uses at most max_blocks blocks.
double dot(const float* a, const float* b, size_t n, int threads, int max_blocks) {
  if (n == 0) return 0;  // a grid of 0 blocks is an error
  const size_t blocks = std::min<size_t>(max_blocks, (n + threads - 1) / threads);
  float *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));

  dot_kernel<<<blocks, threads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());

  std::vector<float> partial(blocks);
  HANDLE_ERROR(
      cudaMemcpy(partial.data(), dev_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  double sum = 0;
  for (float part : partial) sum += part;
  return sum;
}

// ---- Checking and timing, not the lesson.

void launch(const DotVectors& vectors, int threads) {
  dot_kernel<<<vectors.blocks, threads>>>(vectors.a, vectors.b, vectors.n, vectors.partial);
  HANDLE_ERROR(cudaGetLastError());
}

double block_additions(int threads) { return std::log2(threads); }

int main(int argc, char** argv) {
  return dot_program(argc, argv, "The dot product of two vectors on the device.",
                     Threads::kPowerOfTwo);
}
