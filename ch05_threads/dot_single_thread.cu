// Computes the dot product with a slow reduction: one thread of each block adds all sums.
//
// Section 5.3.1 of the book, which describes it without code. What to look at: after the barrier,
// thread 0 adds the sums of all threads of its block, one after the other. The others are idle.
// That takes 255 steps for 256 threads. The tree in dot.cu takes 8. Otherwise the programs are the
// same.
//
//   ./course run dot_single_thread --threads 1024
//   ./course run dot --threads 1024

#include "../common/handle_error.h"
#include "dot_by_launch.h"

// Each block stores the sum of its products in partial[blockIdx.x].
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float cache[kMaxThreads];  // one such array for each block
  const unsigned cache_index = threadIdx.x;

  float sum = 0;  // stays 0 in threads without elements
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = first; i < n; i += stride) sum += a[i] * b[i];
  cache[cache_index] = sum;
  __syncthreads();

  if (cache_index != 0) return;
  for (unsigned i = 1; i < blockDim.x; i++) sum += cache[i];
  partial[blockIdx.x] = sum;
}

void launch(const DotVectors& vectors, int threads) {
  dot_kernel<<<vectors.blocks, threads>>>(vectors.a, vectors.b, vectors.n, vectors.partial);
  HANDLE_ERROR(cudaGetLastError());
}

// ---- Checking and timing, not the lesson.

double block_additions(int threads) { return threads; }

int main(int argc, char** argv) {
  return dot_program(argc, argv, "The dot product of two vectors, each block's by one thread.",
                     Threads::kAny);
}
