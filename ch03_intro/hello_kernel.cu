// Prints a greeting from every thread of a kernel.
//
// Section 3.2.2 of the book, where the kernel is empty. What to look at: `__global__` marks a
// kernel, a function that the host launches and the device runs. The angle brackets launch it, with
// a number of blocks and a number of threads per block. A launch returns at once and has no result.
// So errors are reported in two places: cudaGetLastError() says whether the launch was possible,
// and cudaDeviceSynchronize() waits for the kernel and says how it ended.
//
//   ./course run hello_kernel
//   ./course run hello_kernel --blocks 3 --threads 5

#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "printed_text.h"

__global__ void hello() {
  printf("Hello, World! from block %u, thread %u\n", blockIdx.x, threadIdx.x);
}

// Launches the kernel, and waits until it has ended.
void greet(int blocks, int threads) {
  hello<<<blocks, threads>>>();
  HANDLE_ERROR(cudaGetLastError());
  printf("host: the kernel is launched\n");
  HANDLE_ERROR(cudaDeviceSynchronize());
  printf("host: the kernel has ended\n");
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  int blocks = 2, threads = 4;
  course::Options options("Prints a greeting from every thread of a kernel.");
  options.number("blocks", &blocks, 1, 16, "blocks");
  options.number("threads", &threads, 1, 1024, "threads per block");
  options.parse(argc, argv);

  static PrintedText printed;
  greet(blocks, threads);
  const int greetings = count_of("Hello, World! from block", printed.text());

  if (greetings == blocks * threads) return 0;
  fprintf(stderr, "%d of %d greetings were printed\n", greetings, blocks * threads);
  return course::kExitWrong;
}
