// Adds two vectors of any length with as many blocks of 128 threads as it takes.
//
// The book's section 5.2.1, "sums of a longer vector". What to look at: the number of blocks is
// n/128 rounded *up*. n/128 itself is wrong twice: it forgets the rest, and is 0 for short vectors.
// The last block then has threads without an element, and they must do nothing.
//
//   ./course run vector_add_ceil --size 1000

#include "../common/handle_error.h"
#include "../common/lessons/vector_sums.h"

constexpr int kThreads = 128;

// One thread per element. The index is computed as size_t: with n near 2^31, the indices of the
// threads behind the last element do not fit into an int, and would pass the guard as negative
// ones.
__global__ void add(const int* a, const int* b, int* c, size_t n) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
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
  // Without the guard, 124 threads of 900 elements write far enough beyond the end to be noticed.
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
