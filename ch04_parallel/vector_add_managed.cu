// Adds two vectors in memory that host and device share: three allocations and no copy.
//
// Not in the book. The vectors come from cudaMallocManaged(), and the host fills the arrays that
// the kernel reads. What to look at: of vector_add() only the launch is left, plus a wait. The data
// are still transferred: the driver moves pages to the side that accesses them.
//
//   ./course run vector_add_managed --size 1000

#include "../common/handle_error.h"
#include "../common/lessons/vector_sums.h"

// One block of one thread per element.
__global__ void add(const int* a, const int* b, int* c, int n) {
  const int i = blockIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Returns memory for n ints, at the same address on the host and on the device.
int* allocate(int n) {
  int* memory;
  HANDLE_ERROR(cudaMallocManaged(&memory, (n > 0 ? n : 1) * sizeof(int)));
  return memory;
}

// c = a + b on the device; a, b and c are managed, and hold n elements each.
void vector_add(const int* a, const int* b, int* c, int n) {
  if (n == 0) return;  // a grid of 0 blocks is an error
  add<<<n, 1>>>(a, b, c, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // now the host may use a, b and c again
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  const int n = static_cast<int>(course::vector_size(
      argc, argv, "Adds two vectors in memory that host and device share.", 10, 2147483647));
  int *a = allocate(n), *b = allocate(n), *c = allocate(n);
  for (int i = 0; i < n; i++) {
    a[i] = -course::vector_a(i);
    b[i] = course::vector_b(i);
  }
  vector_add(a, b, c, n);
  const int exit_code = course::report_sums(a, b, c, n, -1);
  for (int* memory : {a, b, c}) HANDLE_ERROR(cudaFree(memory));
  return exit_code;
}
