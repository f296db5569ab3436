// Adds two vectors with one block per element: the first program that runs in parallel.
//
// The book's section 4.2.1. What to look at: the kernel has no loop. The launch makes as many
// copies of it as there are elements, and `blockIdx.x` tells each copy which element is its own.
//
//   ./course run vector_add_blocks --size 1000

#include <vector>

#include "../common/book.h"
#include "../common/compare.h"
#include "../common/device.h"
#include "../common/options.h"

// One block of one thread per element.
__global__ void add(const int* a, const int* b, int* c, int n) {
  const int i = blockIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // redundant here, a habit worth having
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

int main(int argc, char** argv) {
  int n = 10;
  course::Options options("Adds two vectors on the device, one block per element.");
  // The limit is the hardware's: a grid holds at most 2^31 - 1 blocks in x (65,535 when the book
  // was written).
  options.number("size", &n, 0, 2147483647, "elements");
  options.parse(argc, argv);
  course::require_memory(3.0 * sizeof(int) * n, 4.0 * sizeof(int) * n);

  std::vector<int> a(n), b(n), c(n), expected(n);
  for (int i = 0; i < n; i++) {
    a[i] = -i;
    b[i] = static_cast<int>(1LL * i * i % 1000000007);  // i * i alone would overflow from 46341 on
    expected[i] = a[i] + b[i];
  }
  vector_add(a.data(), b.data(), c.data(), n);

  if (!course::verify("c", c.data(), expected.data(), n)) return course::kExitWrong;
  for (int i = 0; i < n && i < 10; i++) printf("%d + %d = %d\n", a[i], b[i], c[i]);
  printf("%s, all verified\n", course::count_of(n, "sum").c_str());
  return 0;
}
