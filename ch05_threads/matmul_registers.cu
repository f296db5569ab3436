// Multiplies matrices with 8 x 8 elements per thread: more arithmetic per load.
//
// Not in the book. What to look at: in matmul_tiled.cu each multiply-add needs two numbers from
// shared memory. In a clock cycle, a multiprocessor's shared memory delivers only 32 numbers,
// enough for 16 multiply-adds. An H200's multiprocessor could do 128. Here a thread computes 64
// elements of c, and keeps them in registers. In each round of the inner loop it loads 8 numbers of
// a and 8 of b, and performs 64 multiply-adds with them: 0.25 loads per multiply-add instead of 2.
// A block of 256 threads computes 128 x 128 elements.
//
// The rows and columns of a thread are 16 apart. So the threads of a warp read neighbors in
// tile_b, which are in different banks. The host pads the matrices with zeros to whole tiles, so
// the kernel does not handle edges.
//
//   ./course run matmul_registers
//   ./course profile matmul_registers --m 128 --n 128 --k 16

#include "matmul_program.h"

constexpr int kTile = 128;                // rows and columns of c per block
constexpr int kDepth = 8;                 // columns of a and rows of b per step
constexpr int kThreads = 16;              // per block in each dimension
constexpr int kPatch = kTile / kThreads;  // rows and columns of c per thread

// c = a * b: a is m x k, b is k x n, c is m x n, row after row. m and n are multiples of kTile,
// and k is a multiple of kDepth.
__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float tile_a[kTile][kDepth + 1], tile_b[kDepth][kTile];
  const int x = threadIdx.x, y = threadIdx.y, thread = y * kThreads + x;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  float sum[kPatch][kPatch] = {};
  for (int first = 0; first < k; first += kDepth) {
    for (int i = thread; i < kTile * kDepth; i += kThreads * kThreads) {
      tile_a[i / kDepth][i % kDepth] = a[(first_row + i / kDepth) * size_t(k) + first + i % kDepth];
      tile_b[i / kTile][i % kTile] = b[(first + i / kTile) * size_t(n) + first_column + i % kTile];
    }
    __syncthreads();
    for (int i = 0; i < kDepth; i++) {
      float from_a[kPatch], from_b[kPatch];
      for (int p = 0; p < kPatch; p++) from_a[p] = tile_a[y + p * kThreads][i];
      for (int p = 0; p < kPatch; p++) from_b[p] = tile_b[i][x + p * kThreads];
      for (int row = 0; row < kPatch; row++)
        for (int column = 0; column < kPatch; column++)
          sum[row][column] += from_a[row] * from_b[column];
    }
    __syncthreads();
  }
  for (int row = 0; row < kPatch; row++)
    for (int column = 0; column < kPatch; column++)
      c[(first_row + y + row * kThreads) * size_t(n) + first_column + x + column * kThreads] =
          sum[row][column];
}

void launch(const float* a, const float* b, float* c, Sizes s) {
  const dim3 block(kThreads, kThreads), grid(s.n / kTile, s.m / kTile);
  matmul_registers<<<grid, block>>>(a, b, c, s.n, s.k);
}

// ---- Checking and timing, not the lesson: see matmul_program.h.

const std::vector<Way> kWays = {
    way("a patch of 8 x 8 elements per thread", launch, Tile{kTile, kTile, kDepth})};

int main(int argc, char** argv) {
  return matmul_program(argc, argv, "Multiplies two matrices, 64 elements per thread.", kWays);
}
