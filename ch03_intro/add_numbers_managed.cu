// Adds two numbers on the device, with memory that host and device share: nothing is copied.
//
// Today, against add_numbers: cudaMallocManaged (2014) gives memory with one address for both. What
// to look at: the host reads the sum through the same pointer that the kernel wrote through. The
// copy is gone, and with it the wait that was hidden in it: the host must wait itself, or it reads
// what was there before.
//
//   ./course run add_numbers_managed --a 2 --b 7

#include "../common/handle_error.h"
#include "two_numbers.h"

__global__ void add(int a, int b, int* c) { *c = a + b; }

// a + b, computed by one thread on the device.
int add_on_device(int a, int b) {
  int* c;
  HANDLE_ERROR(cudaMallocManaged(&c, sizeof(int)));

  add<<<1, 1>>>(a, b, c);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // the kernel has ended, and *c may be read

  const int sum = *c;
  HANDLE_ERROR(cudaFree(c));
  return sum;
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  return add_program(argc, argv, "Adds two numbers on the device, in memory that both share.",
                     add_on_device);
}
