// Adds two numbers on the device, in memory that host and device share.
//
// Not in the book: cudaMallocManaged() came in 2014. What to look at: the host reads the sum
// through the pointer that the kernel wrote through. The copy of add_numbers is gone, and with it
// the wait that was part of the copy. So the host must wait by itself, or it reads an old value.
//
//   ./course run add_numbers_managed --a 2 --b 7

#include "../common/handle_error.h"
#include "two_numbers.h"

__global__ void add(int a, int b, int* c) { *c = a + b; }

// Returns a + b, computed by one thread on the device.
int add_on_device(int a, int b) {
  int* c;
  HANDLE_ERROR(cudaMallocManaged(&c, sizeof(int)));

  add<<<1, 1>>>(a, b, c);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // now the kernel has ended

  const int sum = *c;
  HANDLE_ERROR(cudaFree(c));
  return sum;
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  return add_program(argc, argv, "Adds two numbers on the device, in memory that both share.",
                     add_on_device);
}
