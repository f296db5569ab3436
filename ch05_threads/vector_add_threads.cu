// Adds two vectors with one thread per element: threads of a block instead of blocks.
//
// The book's section 5.2.1. What to look at: against the version with blocks, only the launch (one
// block of n threads) and the index (`threadIdx` instead of `blockIdx`) have changed. The price: a
// block holds at most 1024 threads, so that is the longest vector. The next program lifts this.
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
