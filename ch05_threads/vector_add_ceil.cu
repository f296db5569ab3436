// Adds two vectors of any length with as many blocks of 128 threads as needed.
//
// Section 5.2.1 of the book, "sums of a longer vector". What to look at: the number of blocks is
// n/128 rounded *up*. If it were rounded down, the last elements would get no thread, and a short
// vector no block. The last block may have threads without an element. They must do nothing.
//
//   ./course run vector_add_ceil --size 1000

#include "../common/handle_error.h"
#include "../common/lessons/vector_sums.h"

constexpr int kThreads = 128;

// One thread per element. The index is a size_t, and so is its first factor, because the product
// can exceed 2^32. As an int, an index past the last element could become negative and pass the
// guard. (The other programs write 64-bit indices in the same way.)
__global__ void add(const int* a, const int* b, int* c, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// The number of blocks that n elements need: n / kThreads rounded up.
inline size_t blocks_for(size_t n) { return (n + kThreads - 1) / kThreads; }

// c = a + b on the device; a, b and c hold n elements each.
void vector_add(const int* a, const int* b, int* c, size_t n) {
  if (n == 0) return;  // a grid of 0 blocks is an error
  const size_t bytes = n * sizeof(int);
  int *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));

  add<<<static_cast<unsigned>(blocks_for(n)), kThreads>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  // With 900 elements, 124 threads without a guard write far enough past the end to be noticed.
  // At most 2^31 - 1 blocks of 128 threads; the book's 65,535 blocks gave 8,388,480 elements.
  const size_t n =
      course::vector_size(argc, argv, "Adds two vectors on the device, with blocks of 128 threads.",
                          900, 2147483647LL * kThreads);
  course::VectorSums sums(n);
  vector_add(sums.a.data(), sums.b.data(), sums.c.data(), n);
  printf("%s: %s of %d threads, %s without work\n", course::count_of(n, "element").c_str(),
         course::count_of(blocks_for(n), "block").c_str(), kThreads,
         course::count_of(blocks_for(n) * kThreads - n, "thread").c_str());
  return sums.report();
}
