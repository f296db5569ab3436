// Adds two vectors with one block that has a thread for each element.
//
// Section 5.2.1 of the book. What to look at: compared with vector_add_blocks, only the launch (one
// block of n threads) and the index (`threadIdx` instead of `blockIdx`) have changed. A block has
// at most 1024 threads, so that is the longest vector. vector_add_ceil removes this limit.
//
//   ./course run vector_add_threads --size 1000

#include "../common/handle_error.h"
#include "../common/lessons/vector_sums.h"

// One thread per element, all in one block.
__global__ void add(const int* a, const int* b, int* c, int n) {
  const int i = threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// c = a + b on the device; a, b and c hold n elements each, 1024 at most.
void vector_add(const int* a, const int* b, int* c, int n) {
  if (n == 0) return;  // a block of 0 threads is an error
  const size_t bytes = n * sizeof(int);
  int *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));

  add<<<1, n>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  // The limit is the hardware's: 1024 threads in a block (512 when the book was written).
  const int n = static_cast<int>(course::vector_size(
      argc, argv, "Adds two vectors on the device, one thread per element.", 10, 1024));
  course::VectorSums sums(n);
  vector_add(sums.a.data(), sums.b.data(), sums.c.data(), n);
  return sums.report();
}
