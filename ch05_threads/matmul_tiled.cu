// Multiplies matrices with tiles in shared memory, so that each number is read from global
// memory 1/32 as often.
//
// Not in the book. What to look at: in matmul_naive.cu a warp loads 32 numbers of b in every step,
// although the warps that compute the rows below need the same 32. Here a block of 32 x 32 threads
// computes a tile of c. It goes along a and down b in steps of 32. In each step, all threads
// together load one tile of a and one of b into shared memory, wait, and use each number 32 times.
// There are two barriers per step: one before the tiles are read, and one before they are
// overwritten. Beyond an edge, threads load zeros, which add nothing to a sum. All threads must
// reach the barriers. So those outside of c do not return early, and only skip the write.
//
//   ./course run matmul_tiled
//   ./course watch matmul_tiled --m 32 --n 32 --k 64
//   ./course check matmul_tiled --m 33 --n 31 --k 65

#include "matmul_program.h"

constexpr int kTile = 32;  // threads per block in each dimension

// c = a * b: a is m x k, b is k x n, c is m x n, row after row.
__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * kTile + x;
  const int row = blockIdx.y * kTile + y;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const bool in_a = row < m && first + x < k, in_b = first + y < k && column < n;
    tile_a[y][x] = in_a ? a[row * size_t(k) + first + x] : 0;
    tile_b[y][x] = in_b ? b[(first + y) * size_t(n) + column] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; i++) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * size_t(n) + column] = sum;
}

void launch(const float* a, const float* b, float* c, Sizes s) {
  const dim3 block(kTile, kTile);
  const dim3 grid((s.n + kTile - 1) / kTile, (s.m + kTile - 1) / kTile);
  matmul_tiled<<<grid, block>>>(a, b, c, s.m, s.n, s.k);
}

// ---- Checking and timing, not the lesson: see matmul_program.h.

const std::vector<Way> kWays = {way("tiles of 32 x 32 in shared memory", launch)};

int main(int argc, char** argv) {
  return matmul_program(argc, argv, "Multiplies two matrices by tiles in shared memory.", kWays);
}
