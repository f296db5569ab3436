// Multiplies matrices close to the GPU's limit for float arithmetic: with copies that run ahead,
// and wide loads.
//
// Not in the book. What to look at, compared with matmul_registers.cu:
// - While a block computes with one pair of tiles, the next two pairs are in flight. An
//   asynchronous copy goes from global to shared memory without passing through registers, and the
//   thread continues. Three buffers in shared memory take turns: one is read, two are filled. So
//   one barrier per step is enough.
// - A thread computes 8 x 16 elements, so it needs even fewer loads from shared memory. Each of
//   them returns four floats (float4). For that, the tile of a is stored transposed: what a thread
//   needs for one column of the tile is then contiguous. Each row of that tile has four more floats
//   than necessary, so that transposing causes fewer bank conflicts.
// - Blocks that run at the same time compute a compact area of c. They share rows of a and columns
//   of b, so the L2 cache serves most of these reads.
//
// The host pads the matrices with zeros to whole tiles, so the kernel does not handle edges.
//
//   ./course run matmul_fast
//   ./course run matmul_fast --m 8192 --n 8192 --k 8192        on a GPU

#include <cuda_pipeline.h>

#include "matmul_program.h"

constexpr int kRows = 128, kColumns = 256;  // of c per block
constexpr int kDepth = 16;                  // columns of a and rows of b per stage
constexpr int kRowsPadded = kRows + 4;      // in shared memory
constexpr int kStages = 3;
constexpr int kWarpTile = 64;                   // rows and columns of c per warp
constexpr int kLaneRows = 8, kLaneColumns = 4;  // how the 32 lanes of a warp share its tile
constexpr int kPatchRows = kWarpTile / kLaneRows, kPatchColumns = kWarpTile / kLaneColumns;
constexpr int kThreads = kRows / kWarpTile * (kColumns / kWarpTile) * 32;
constexpr int kGroup = 8;  // rows of blocks that run side by side

// c = a * b: a is m x k, b is k x n, c is m x n, row after row. m, n and k are multiples of kRows,
// kColumns and (kStages - 1) * kDepth; k > 0.
__global__ void __launch_bounds__(kThreads, 1)
    matmul_fast(const float* a, const float* b, float* c, int m, int n, int k) {
  // kStages tiles of a, transposed, and as many of b.
  extern __shared__ __align__(16) float shared[];
  float* const tiles_a = shared;  // [kStages][kDepth][kRowsPadded]
  float* const tiles_b = tiles_a + kStages * kDepth * kRowsPadded;  // [kStages][kDepth][kColumns]

  // The block's tile of c: kGroup rows of tiles are done column by column.
  const int tiles_across = n / kColumns, tiles_down = m / kRows;
  const int first_tile = blockIdx.x / (kGroup * tiles_across) * kGroup;
  const int group_rows = min(kGroup, tiles_down - first_tile);
  const int in_group = blockIdx.x % (kGroup * tiles_across);
  const int block_row = (first_tile + in_group % group_rows) * kRows;
  const int block_column = in_group / group_rows * kColumns;

  // This thread's share of the copies: where it begins in the matrices and in a stage.
  constexpr int kQuads = kColumns / 4;  // of floats, in a row of b
  const int t = threadIdx.x;
  const float* next_a = a + (block_row + t / kDepth) * size_t(k) + t % kDepth;
  const float* next_b = b + t / kQuads * size_t(n) + block_column + t % kQuads * 4;
  const auto start_copies = [&](int stage) {
    float* const to_a = tiles_a + (stage * kDepth + t % kDepth) * kRowsPadded + t / kDepth;
    float* const to_b = tiles_b + (stage * kDepth + t / kQuads) * kColumns + t % kQuads * 4;
#pragma unroll
    for (int i = 0; i < kRows; i += kThreads / kDepth)
      __pipeline_memcpy_async(to_a + i, next_a + i * size_t(k), sizeof(float));
#pragma unroll
    for (int i = 0; i < kDepth; i += kThreads / kQuads)
      __pipeline_memcpy_async(to_b + i * kColumns, next_b + i * size_t(n), sizeof(float4));
    next_a += kDepth;
    next_b += kDepth * size_t(n);
  };

  // The thread's patch: groups of four rows and four columns.
  const int warp = t / 32, lane = t % 32;
  const int row = warp / (kColumns / kWarpTile) * kWarpTile + lane / 2 % kLaneRows * 4;
  const int column =
      warp % (kColumns / kWarpTile) * kWarpTile + (lane % 2 + lane / (2 * kLaneRows) * 2) * 4;
  float sum[kPatchRows][kPatchColumns] = {};
  // What one column of the tile needs, twice: one set is loaded while the other is being
  // multiplied.
  float from_a[2][kPatchRows], from_b[2][kPatchColumns];

  const int steps = k / kDepth;
  for (int stage = 0; stage < kStages - 1; stage++) {
    start_copies(stage);
    __pipeline_commit();
  }
  int reading = 0, filling = kStages - 1;  // which buffer
  for (int step = 0; step < steps; step++) {
    __pipeline_wait_prior(kStages - 2);  // this thread's copies for this step have arrived,
    __syncthreads();                     // so have the others', and the step before is done
    if (step + kStages - 1 < steps) start_copies(filling);
    __pipeline_commit();
    const float* const tile_a = tiles_a + reading * kDepth * kRowsPadded + row;
    const float* const tile_b = tiles_b + reading * kDepth * kColumns + column;
    filling = filling + 1 == kStages ? 0 : filling + 1;
    reading = reading + 1 == kStages ? 0 : reading + 1;
#pragma unroll
    for (int i = 0; i < kDepth; i++) {
#pragma unroll
      for (int y = 0; y < kPatchRows; y += 4)
        *reinterpret_cast<float4*>(&from_a[i % 2][y]) =
            *reinterpret_cast<const float4*>(tile_a + i * kRowsPadded + y * kLaneRows);
#pragma unroll
      for (int x = 0; x < kPatchColumns; x += 4)
        *reinterpret_cast<float4*>(&from_b[i % 2][x]) =
            *reinterpret_cast<const float4*>(tile_b + i * kColumns + x * kLaneColumns);
#pragma unroll
      for (int y = 0; y < kPatchRows; y++)
#pragma unroll
        for (int turn = 0; turn < kPatchColumns; turn++) {
          // Back and forth: at a turn, two multiply-adds in a row use the same number of b, and the
          // hardware does not read its register again.
          const int x = y % 2 == 0 ? turn : kPatchColumns - 1 - turn;
          sum[y][x] += from_a[i % 2][y] * from_b[i % 2][x];
        }
    }
  }
#pragma unroll
  for (int y = 0; y < kPatchRows; y++)
#pragma unroll
    for (int x = 0; x < kPatchColumns; x += 4) {
      const size_t in_row = block_row + row + y / 4 * 4 * kLaneRows + y % 4;
      const int in_column = block_column + column + x * kLaneColumns;
      *reinterpret_cast<float4*>(&c[in_row * n + in_column]) =
          make_float4(sum[y][x], sum[y][x + 1], sum[y][x + 2], sum[y][x + 3]);
    }
}

void launch(const float* a, const float* b, float* c, Sizes s) {
  // More than 48 KB of shared memory must be requested for a kernel.
  constexpr int kBytes = kStages * kDepth * (kRowsPadded + kColumns) * sizeof(float);
  HANDLE_ERROR(
      cudaFuncSetAttribute(matmul_fast, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const unsigned blocks = s.m / kRows * (s.n / kColumns);
  matmul_fast<<<blocks, kThreads, kBytes>>>(a, b, c, s.m, s.n, s.k);
}

// ---- Checking and timing, not the lesson: see matmul_program.h.

const std::vector<Way> kWays = {way("8 x 16 elements per thread, copies ahead", launch,
                                    Tile{kRows, kColumns, (kStages - 1) * kDepth})};

int main(int argc, char** argv) {
  return matmul_program(argc, argv, "Multiplies two matrices close to the limit.", kWays);
}
