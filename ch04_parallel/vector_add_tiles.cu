// Adds two vectors with tiles: one block per 1024 elements, and no threads in the program.
//
// Not in the book. What to look at: `i` is not a number but a tile, 1024 numbers at once. So is the
// mask `inside`, which is false beyond the end of the vectors. One addition adds 1024 elements. The
// compiler decides which thread does what. Tile kernels need CUDA 13.3 or newer, and
// nvcc --enable-tile -std=c++20. TILES.md explains the model.
//
//   ./course run vector_add_tiles --size 1000

#include <cuda_tile.h>

#include "../common/handle_error.h"
#include "../common/lessons/vector_sums.h"
#include "../common/program/timing.h"

namespace ct = cuda::tiles;

constexpr int kTile = 1024;  // elements per block, a power of two
using Tile = ct::tile<int, ct::shape<kTile>>;

// c = a + b; each block adds kTile elements.
__tile_global__ void add(const int* __restrict__ a, const int* __restrict__ b,
                         int* __restrict__ c, int n) {
  const int first = ct::bid().x * kTile;
  const Tile i = first + ct::iota<Tile>();  // first, first + 1, first + 2 ...
  const auto inside = i < n;
  const Tile sum = ct::load_masked(a + i, inside) + ct::load_masked(b + i, inside);
  ct::store_masked(c + i, sum, inside);
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

  const int blocks = n / kTile + (n % kTile != 0);
  add<<<blocks, 1>>>(dev_a, dev_b, dev_c, n);  // 1: the compiler chooses the threads
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}

// ---- Checking and timing, not the lesson.

// Prints how long the kernel takes for n elements. Their values do not matter for that.
void print_time(int n) {
  const size_t bytes = n * sizeof(int);
  int* vectors[3];
  for (int*& vector : vectors) {
    HANDLE_ERROR(cudaMalloc(&vector, bytes));
    HANDLE_ERROR(cudaMemset(vector, 0, bytes));
  }
  const int blocks = n / kTile + (n % kTile != 0);
  const double ms = course::measure_device_ms(
      [&] { add<<<blocks, 1>>>(vectors[0], vectors[1], vectors[2], n); });
  for (int* vector : vectors) HANDLE_ERROR(cudaFree(vector));
  printf("kernel %.4f ms, the kernel reads and writes %.1f GB/s\n", ms, 3.0 * bytes / ms * 1e-6);
  if (course::runs_on_cpu_device())
    printf("(times on the CPU device say nothing about a GPU)\n");
}

int main(int argc, char** argv) {
  size_t n = 10;
  bool timed = false;
  course::Options options("Adds two vectors on the device, with tiles.");
  // The index of the last tile's last element must be an int.
  options.number("size", &n, 0, 2147483647 / kTile * kTile, "elements");
  options.flag("time", &timed, "measure the kernel");
  options.parse(argc, argv);
  course::require_memory(3.0 * sizeof(int) * n, 4.0 * sizeof(int) * n);
  course::VectorSums sums(n, -1);
  vector_add(sums.a.data(), sums.b.data(), sums.c.data(), static_cast<int>(n));
  const int exit_code = sums.report();
  if (exit_code == 0 && timed && n > 0) print_time(static_cast<int>(n));
  return exit_code;
}
