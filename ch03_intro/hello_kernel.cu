// Greets from the device: every thread of a kernel says which block and which thread it is.
//
// The book's section 3.2.2, whose kernel is empty. What to look at: `__global__` marks a function
// that the host starts and the device runs, a kernel; the angle brackets start it, with so many
// blocks of so many threads. A launch returns at once and returns nothing, so what went wrong is
// asked for twice: cudaGetLastError says whether the launch was possible, cudaDeviceSynchronize
// waits for the kernel and says how it ended. Only then is what it printed there.
//
//   ./course run hello_kernel
//   ./course run hello_kernel --blocks 3 --threads 5

#include "../common/handle_error.h"
#include "../common/program/options.h"

__global__ void hello() {
  printf("Hello, World! from block %u, thread %u\n", blockIdx.x, threadIdx.x);
}

int main(int argc, char** argv) {
  int blocks = 2, threads = 4;
  course::Options options("Greets from each thread of a kernel.");
  options.number("blocks", &blocks, 1, 16, "blocks");
  options.number("threads", &threads, 1, 1024, "threads per block");
  options.parse(argc, argv);

  hello<<<blocks, threads>>>();
  HANDLE_ERROR(cudaGetLastError());
  printf("host: the kernel is launched\n");
  HANDLE_ERROR(cudaDeviceSynchronize());
  printf("host: the kernel has ended\n");
  return 0;
}
