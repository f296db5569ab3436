// Adds two vectors with one block per element: the first program that runs in parallel.
//
// Section 4.2.1 of the book. What to look at: the kernel has no loop. The launch runs it once per
// element, and `blockIdx.x` says which element each block adds.
//
//   ./course run vector_add_blocks --size 1000

#include "../common/handle_error.h"
#include "../common/lessons/vector_sums.h"

// One block of one thread per element.
__global__ void add(const int* a, const int* b, int* c, int n) {
  const int i = blockIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // not needed here, but a good habit
}

// c = a + b on the device; a, b and c hold n elements each.
void vector_add(const int* a, const int* b, int* c, int n) {
  if (n == 0) return;  // a grid of 0 blocks is an error
  const size_t bytes = n * sizeof(int);
  int *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));

  add<<<n, 1>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  // A grid has at most 2^31 - 1 blocks in x (65,535 when the book was written).
  const int n = static_cast<int>(course::vector_size(
      argc, argv, "Adds two vectors on the device, one block per element.", 10, 2147483647));
  course::VectorSums sums(n, -1);
  vector_add(sums.a.data(), sums.b.data(), sums.c.data(), n);
  return sums.report();
}
