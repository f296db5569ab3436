// Adds two numbers on the device: passes arguments to a kernel and copies its result back.
//
// Section 3.2.3 of the book. What to look at: the numbers are passed as to any function, but a
// kernel returns nothing. It writes the sum to device memory. The host allocates that memory,
// passes its address to the kernel and copies from it. It must not read through the pointer itself.
//
//   ./course run add_numbers --a 2 --b 7

#include "../common/handle_error.h"
#include "two_numbers.h"

__global__ void add(int a, int b, int* c) { *c = a + b; }

// Returns a + b, computed by one thread on the device.
int add_on_device(int a, int b) {
  int c = 0;
  int* dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_c, sizeof(int)));

  add<<<1, 1>>>(a, b, dev_c);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(&c, dev_c, sizeof(int), cudaMemcpyDeviceToHost));  // waits for the kernel
  HANDLE_ERROR(cudaFree(dev_c));
  return c;
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  return add_program(argc, argv, "Adds two numbers on the device.", add_on_device);
}
