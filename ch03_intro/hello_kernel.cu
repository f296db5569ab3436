// Runs an empty kernel, then prints a greeting: the first function on the device.
//
// The book's section 3.2.2. What to look at: `__global__` marks a function that the host starts and
// the device runs, a kernel; the angle brackets start it, here with 1 block of 1 thread. A launch
// returns at once and returns nothing, so what went wrong is asked for twice: cudaGetLastError says
// whether the launch was possible, cudaDeviceSynchronize waits for the kernel and says how it
// ended.
//
//   ./course run hello_kernel

#include "../common/book.h"
#include "../common/options.h"

__global__ void kernel() {}

int main(int argc, char** argv) {
  course::Options("Runs an empty kernel, then prints a greeting.").parse(argc, argv);
  kernel<<<1, 1>>>();
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());
  printf("Hello, World!\n");
  return 0;
}
