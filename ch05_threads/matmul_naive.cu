// Multiplies matrices with one thread per element: the first of five versions.
//
// Not in the book. What to look at: each thread reads a row of a and a column of b. In
// matmul_naive, threadIdx.x runs along a row of c. In each step the 32 threads of a warp then read
// one number of a, and 32 adjacent numbers of b: five sectors of 32 bytes. matmul_exchanged swaps x
// and y, and nothing else. Now the 32 threads read 32 numbers of a that are a whole row apart: 32
// sectors, of which seven eighths are not used. The result is the same.
//
//   ./course run matmul_naive
//   ./course run matmul_naive --m 4096 --n 4096 --k 4096       on a GPU
//   ./course profile matmul_naive --m 64 --n 64 --k 64

#include "matmul_program.h"

// c = a * b: a is m x k, b is k x n, c is m x n, row after row.
__global__ void matmul_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[row * size_t(k) + i] * b[i * size_t(n) + column];
  c[row * size_t(n) + column] = sum;
}

// The same with x and y exchanged.
__global__ void matmul_exchanged(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[row * size_t(k) + i] * b[i * size_t(n) + column];
  c[row * size_t(n) + column] = sum;
}

const dim3 kBlock(32, 8);

// How many blocks cover `size` elements.
unsigned blocks_for(int size, unsigned block) { return (size + block - 1) / block; }

void launch_naive(const float* a, const float* b, float* c, Sizes s) {
  const dim3 grid(blocks_for(s.n, kBlock.x), blocks_for(s.m, kBlock.y));
  matmul_naive<<<grid, kBlock>>>(a, b, c, s.m, s.n, s.k);
}

void launch_exchanged(const float* a, const float* b, float* c, Sizes s) {
  const dim3 grid(blocks_for(s.m, kBlock.x), blocks_for(s.n, kBlock.y));
  matmul_exchanged<<<grid, kBlock>>>(a, b, c, s.m, s.n, s.k);
}

// ---- Checking and timing, not the lesson: see matmul_program.h.

const std::vector<Way> kWays = {way("x along a row of c", launch_naive),
                                way("x along a column of c", launch_exchanged)};

int main(int argc, char** argv) {
  return matmul_program(argc, argv, "Multiplies two matrices, one thread per element.", kWays);
}
