// Adds two numbers on the device: arguments go to a kernel, and a result comes back.
//
// The book's section 3.2.3. What to look at: the numbers are passed like to any function, but a
// kernel returns nothing. It writes the sum to memory of the device, which the host may allocate,
// hand on and copy, and must not read through the pointer itself.
//
//   ./course run add_numbers --a 2 --b 7

#include "../common/handle_error.h"
#include "two_numbers.h"

__global__ void add(int a, int b, int* c) { *c = a + b; }

// a + b, computed by one thread on the device.
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
