// Shows the kernel of vector_add_blocks as each of its blocks sees it.
//
// Section 4.2.1 of the book, where a figure shows the code of four blocks with their numbers filled
// in (two of them misprinted). What to look at: all blocks run the same code. Only blockIdx.x
// differs. Here each block records the numbers that it saw.
//
//   ./course run block_table --blocks 4

#include <string>
#include <vector>

#include "../common/program/compare.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"

// What a block saw.
struct Seen {
  int block;   // blockIdx.x
  int blocks;  // gridDim.x
  int sum;     // c[blockIdx.x]
};

// One block of one thread per element.
__global__ void add(const int* a, const int* b, int* c, int n, Seen* seen) {
  const int i = blockIdx.x;
  if (i < n) c[i] = a[i] + b[i];
  if (i < n) seen[i] = {i, static_cast<int>(gridDim.x), c[i]};
}

// Adds a and b, n > 0 elements each, with one block per element. Returns what each block saw.
std::vector<Seen> run_blocks(const int* a, const int* b, int n) {
  std::vector<Seen> seen(n);
  const size_t bytes = n * sizeof(int);
  int *dev_a, *dev_b, *dev_c;
  Seen* dev_seen;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_seen, n * sizeof(Seen)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_seen, 0xff, n * sizeof(Seen)));  // -1: never written

  add<<<n, 1>>>(dev_a, dev_b, dev_c, n, dev_seen);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(seen.data(), dev_seen, n * sizeof(Seen), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
  HANDLE_ERROR(cudaFree(dev_seen));
  return seen;
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  int n = 4;
  course::Options options("Shows a kernel as each of its blocks sees it.");
  options.number("blocks", &n, 1, 1000, "blocks");
  options.parse(argc, argv);

  std::vector<int> a(n), b(n);
  for (int i = 0; i < n; i++) {
    a[i] = -i;
    b[i] = i * i;
  }
  const std::vector<Seen> seen = run_blocks(a.data(), b.data(), n);

  for (int i = 0; i < n; i++) {
    const int found[] = {seen[i].block, seen[i].blocks, seen[i].sum};
    const int expected[] = {i, n, a[i] + b[i]};
    if (!course::verify("what block " + std::to_string(i) + " saw", found, expected, 3))
      return course::kExitWrong;
  }
  printf("add<<<%d, 1>>> runs %d %s of the kernel:\n", n, n, n == 1 ? "copy" : "copies");
  for (const Seen& one : seen)
    printf("block %d:  i = %d;  if (%d < %d) c[%d] = a[%d] + b[%d];  // %d + %d = %d\n", one.block,
           one.block, one.block, one.blocks, one.block, one.block, one.block, a[one.block],
           b[one.block], one.sum);
  return 0;
}
