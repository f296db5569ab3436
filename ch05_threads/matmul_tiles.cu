// Multiplies matrices with tiles: the compiler decides which thread does what.
//
// Not in the book. What to look at: the kernel has no threadIdx, no shared memory and no barrier. A
// view cuts each matrix into tiles. load_masked() returns zeros for what is beyond the edge, and
// mma() multiplies two tiles and adds the product to a third. On a GPU the compiler turns that into
// asynchronous copies, shared memory and tensor cores. The tensor cores' instructions for tf32 need
// the numbers of a column of b next to each other. So b is transposed first. On an H200, this
// raises the speed by 39 %. Tile kernels need CUDA 13.3 or newer, and nvcc --enable-tile
// -std=c++20. TILES.md explains the model.
//
//   ./course run matmul_tiles
//   ./course run matmul_tiles --m 8192 --n 8192 --k 8192      on a GPU

#include <cuda_fp16.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>
#include <string.h>

#include "matmul_program.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int kGroup = 8;  // rows of blocks that run side by side

// c = a * b: a is m x k, b is k x n, c is m x n, row after row. Each block computes kRows x
// kColumns elements of c, in steps of kDepth along k. Factor is the type that is multiplied.
// Pointers are aligned to 16 bytes, and rows are whole multiples of 8 elements. GPUs have hardware
// that copies such tiles. The hint is for compute capability 9.0: 8 warps per block, for the sums
// of a large tile. kTransposed: b is stored as n x k, column after column.
template <typename Factor, bool kTransposed, int kRows, int kColumns, int kDepth, typename T>
[[cutile::hint(900, num_worker_warps_per_cta = 8)]] __tile_global__ void matmul_tiles(
    const T* __restrict__ a, const T* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  a = ct::assume_aligned(a, 16_ic);
  b = ct::assume_aligned(b, 16_ic);
  c = ct::assume_aligned(c, 16_ic);
  n = ct::assume_divisible(n, 8_ic);
  k = ct::assume_divisible(k, 8_ic);
  const auto tiles_of_a =
      ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<kRows, kDepth>{}};
  const auto tiles_of_b =
      ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<kDepth, kColumns>{}};
  const auto transposed_tiles_of_b =
      ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<kColumns, kDepth>{}};
  const auto tiles_of_c =
      ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<kRows, kColumns>{}};

  // The block's tile of c: kGroup rows of tiles are done column by column.
  const int block = ct::bid().x;
  const int tiles_across = (n + kColumns - 1) / kColumns, tiles_down = (m + kRows - 1) / kRows;
  const int first_row = block / (kGroup * tiles_across) * kGroup;
  const int group_rows = ct::min(kGroup, tiles_down - first_row);
  const int in_group = block % (kGroup * tiles_across);
  const int row = first_row + in_group % group_rows;
  const int column = in_group / group_rows;

  auto sum = ct::zeros<ct::tile<float, ct::shape<kRows, kColumns>>>();
  for (int step : ct::irange(0, (k + kDepth - 1) / kDepth)) {
    const auto from_a = ct::element_cast<Factor>(tiles_of_a.load_masked(row, step));
    if constexpr (!kTransposed) {
      const auto from_b = ct::element_cast<Factor>(tiles_of_b.load_masked(step, column));
      sum = ct::mma(from_a, from_b, sum);
    } else {
      const auto from_b = ct::element_cast<Factor>(transposed_tiles_of_b.load_masked(column, step));
      sum = ct::mma(from_a, ct::transpose(from_b), sum);
    }
  }
  tiles_of_c.store_masked(sum, row, column);
}

template <typename Factor, int kRows, int kColumns, int kDepth, bool kTransposed = false,
          typename T>
void launch(const T* a, const T* b, float* c, Sizes s) {
  const unsigned blocks = (s.m + kRows - 1) / kRows * ((s.n + kColumns - 1) / kColumns);
  matmul_tiles<Factor, kTransposed, kRows, kColumns, kDepth><<<blocks, 1>>>(a, b, c, s.m, s.n, s.k);
}

// out = in transposed: in is rows x columns, out is columns x rows. Each block moves one tile.
template <int kSide>
__tile_global__ void transpose(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int columns) {
  in = ct::assume_aligned(in, 16_ic);
  out = ct::assume_aligned(out, 16_ic);
  rows = ct::assume_divisible(rows, 8_ic);
  columns = ct::assume_divisible(columns, 8_ic);
  const auto from = ct::partition_view{ct::tensor_span{in, ct::extents{rows, columns}},
                                       ct::shape<kSide, kSide>{}};
  const auto to = ct::partition_view{ct::tensor_span{out, ct::extents{columns, rows}},
                                     ct::shape<kSide, kSide>{}};
  const int row = ct::bid().y, column = ct::bid().x;  // of tiles
  to.store_masked(ct::transpose(from.load_masked(row, column)), column, row);
}

// Keeps freed memory in the pool. By default, CUDA returns it to the system at the next
// synchronization, and the next allocation must map memory again.
void keep_pool() {
  cudaMemPool_t pool;
  std::uint64_t all = UINT64_MAX;
  int device = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetDefaultMemPool(&pool, device));
  HANDLE_ERROR(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

// Computes the same product, but transposes b first, into memory from the device's pool.
void launch_tf32(const float* a, const float* b, float* c, Sizes s) {
  constexpr int kSide = 64;
  keep_pool();
  float* transposed = nullptr;
  HANDLE_ERROR(cudaMallocAsync(&transposed, sizeof(float) * s.k * s.n, 0));
  const dim3 tiles((s.n + kSide - 1) / kSide, (s.k + kSide - 1) / kSide);
  transpose<kSide><<<tiles, 1>>>(b, transposed, s.k, s.n);
  HANDLE_ERROR(cudaGetLastError());
  launch<__nv_tf32, 128, 256, 32, true>(a, static_cast<const float*>(transposed), c, s);
  HANDLE_ERROR(cudaFreeAsync(transposed, 0));
}

// ---- Checking and timing, not the lesson: see matmul_program.h.

half to_half(float x) { return __float2half(x); }

// The nearest float with the 11 significant bits that tf32 keeps.
float to_tf32(float x) {
  std::uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x1000u) & ~0x1fffu;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

constexpr Tile kPadding = {1, 8, 8};

const std::vector<Way> kWays = {
    way<half>("half, sums in float", launch<half, 128, 256, 64, false, half>, kPadding, 0x1p-11,
              to_half),
    way<float>("tf32, sums in float", launch_tf32, kPadding, 0x1p-11, to_tf32),
    way<float>("float", launch<float, 128, 64, 16, false, float>, kPadding)};

int main(int argc, char** argv) {
  return matmul_program(argc, argv, "Multiplies two matrices with tiles.", kWays, 128, true);
}
