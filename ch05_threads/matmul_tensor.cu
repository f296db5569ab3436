// Multiplies matrices with tensor cores: a warp multiplies small matrices in one instruction.
//
// Not in the book. What to look at: with nvcuda::wmma, a whole warp holds a small matrix, 16 x 16
// for half. Each lane holds a part of it, a "fragment", and the hardware decides which part.
// mma_sync() multiplies two such matrices and adds the product to a third. The price is precision:
// the elements of a and b have 11 significant bits, as half (16 bits) or tf32 (a float whose last
// 13 bits are ignored). Products are added in float. The program prints the error for numbers in
// [-1, 1).
//
// For tf32, wmma compiles to smaller instructions that run at half the speed of the larger ones. So
// the program also has a second version, with the instruction mma in PTX, NVIDIA's assembly
// language for a virtual GPU. PTX defines which lane holds which elements.
//
// The rest is as in matmul_fast.cu: tiles in shared memory, copies that run ahead, padding against
// bank conflicts. While a warp multiplies one pair of fragments, it already loads the next pair.
//
//   ./course run matmul_tensor
//   ./course run matmul_tensor --m 8192 --n 8192 --k 8192      on a GPU

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <string.h>

#include "matmul_program.h"

namespace wmma = nvcuda::wmma;

constexpr int kRows = 128, kColumns = 256;  // of c per block
constexpr int kStages = 3;
constexpr int kWarpTile = 64;  // rows and columns of c per warp
constexpr int kSide = 16;      // rows and columns of c per fragment
constexpr int kFragments = kWarpTile / kSide;
constexpr int kThreads = kRows / kWarpTile * (kColumns / kWarpTile) * 32;
constexpr int kGroup = 8;  // rows of blocks that run side by side

// How numbers of type T, as they are in memory, go to the tensor cores.
template <typename T>
struct Format;
template <>
struct Format<half> {
  using Element = half;
  static constexpr int kFragmentDepth = 16, kDepth = 64, kPadA = 8;
};
// Tensor cores support tf32 since compute capability 8.0. Code for older GPUs leaves it out.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define HAS_TF32 0
#else
#define HAS_TF32 1
#endif
template <>
struct Format<float> {
#if HAS_TF32
  using Element = wmma::precision::tf32;
#endif
  static constexpr int kFragmentDepth = 8, kDepth = 32, kPadA = 4;
};

template <typename T>
struct Stage {
  static constexpr int kDepth = Format<T>::kDepth;
  T a[kRows][kDepth + Format<T>::kPadA];
  T b[kDepth][kColumns + 8];
};

// A thread's share of the copies: where it begins in the matrices, and in a stage.
template <typename T>
struct Copies {
  static constexpr int kWide = 16 / sizeof(T);  // elements per copy of 16 bytes
  static constexpr int kDepth = Format<T>::kDepth;
  static constexpr int kAcrossA = kDepth / kWide, kAcrossB = kColumns / kWide;
  const T *a, *b;

  __device__ Copies(const T* upper_left_a, const T* upper_left_b, int n, int k)
      : a(upper_left_a + threadIdx.x / kAcrossA * size_t(k) + threadIdx.x % kAcrossA * kWide),
        b(upper_left_b + threadIdx.x / kAcrossB * size_t(n) + threadIdx.x % kAcrossB * kWide) {}

  // Starts the copies for the next stage.
  __device__ void start(Stage<T>& stage, int n, int k) {
    const int t = threadIdx.x;
#pragma unroll
    for (int row = 0; row < kRows; row += kThreads / kAcrossA)
      __pipeline_memcpy_async(&stage.a[row + t / kAcrossA][t % kAcrossA * kWide],
                              a + row * size_t(k), 16);
#pragma unroll
    for (int row = 0; row < kDepth; row += kThreads / kAcrossB)
      __pipeline_memcpy_async(&stage.b[row + t / kAcrossB][t % kAcrossB * kWide],
                              b + row * size_t(n), 16);
    a += kDepth;
    b += kDepth * size_t(n);
  }
};

// With wmma: the fragments that a warp multiplies in one step, and its sums.
template <typename T>
struct Fragments {
  static constexpr int kDepth = Format<T>::kFragmentDepth;
  using Element = typename Format<T>::Element;
  wmma::fragment<wmma::matrix_a, kSide, kSide, kDepth, Element, wmma::row_major> a[kFragments];
  wmma::fragment<wmma::matrix_b, kSide, kSide, kDepth, Element, wmma::row_major> b[kFragments];

  __device__ void load(const Stage<T>& stage, int row, int column, int depth) {
#pragma unroll
    for (int i = 0; i < kFragments; i++) {
      wmma::load_matrix_sync(a[i], &stage.a[row + i * kSide][depth], sizeof stage.a[0] / sizeof(T));
      wmma::load_matrix_sync(b[i], &stage.b[depth][column + i * kSide],
                             sizeof stage.b[0] / sizeof(T));
    }
  }
};
template <typename T>
struct FragmentSums {
  using Operands = Fragments<T>;
  wmma::fragment<wmma::accumulator, kSide, kSide, Operands::kDepth, float> sum[kFragments]
                                                                              [kFragments];

  __device__ FragmentSums() {
#pragma unroll
    for (int y = 0; y < kFragments; y++)
#pragma unroll
      for (int x = 0; x < kFragments; x++) wmma::fill_fragment(sum[y][x], 0.0f);
  }
  __device__ void add(const Operands& operands) {
#pragma unroll
    for (int y = 0; y < kFragments; y++)
#pragma unroll
      for (int x = 0; x < kFragments; x++)
        wmma::mma_sync(sum[y][x], operands.a[y], operands.b[x], sum[y][x]);
  }
  // c: where the warp's elements begin in a matrix with n columns.
  __device__ void store(float* c, int n) const {
#pragma unroll
    for (int y = 0; y < kFragments; y++)
#pragma unroll
      for (int x = 0; x < kFragments; x++)
        wmma::store_matrix_sync(&c[y * kSide * size_t(n) + x * kSide], sum[y][x], n,
                                wmma::mem_row_major);
  }
};

// With mma in PTX: 16 x 8 numbers of a times 8 x 8 of b. Lane 4 * i + j (i: 0 to 7, j: 0 to 3)
// holds the elements (i, j), (i + 8, j), (i, j + 4) and (i + 8, j + 4) of a, (j, i) and (j + 4, i)
// of b, and (i, 2 * j), (i, 2 * j + 1), (i + 8, 2 * j) and (i + 8, 2 * j + 1) of the sums.
constexpr int kPtxRows = 16, kPtxColumns = 8;
struct PtxOperands {
  float a[kWarpTile / kPtxRows][4], b[kWarpTile / kPtxColumns][2];

  __device__ void load(const Stage<float>& stage, int row, int column, int depth) {
    const int i = threadIdx.x % 32 / 4, j = threadIdx.x % 4;
#pragma unroll
    for (int y = 0; y < kWarpTile / kPtxRows; y++) {
      const int upper = row + y * kPtxRows + i, lower = upper + 8;
      a[y][0] = stage.a[upper][depth + j], a[y][1] = stage.a[lower][depth + j];
      a[y][2] = stage.a[upper][depth + j + 4], a[y][3] = stage.a[lower][depth + j + 4];
    }
#pragma unroll
    for (int x = 0; x < kWarpTile / kPtxColumns; x++) {
      b[x][0] = stage.b[depth + j][column + x * kPtxColumns + i];
      b[x][1] = stage.b[depth + j + 4][column + x * kPtxColumns + i];
    }
  }
};
struct PtxSums {
  using Operands = PtxOperands;
  float sum[kWarpTile / kPtxRows][kWarpTile / kPtxColumns][4] = {};

  __device__ void add(const Operands& operands) {
#if HAS_TF32
#pragma unroll
    for (int y = 0; y < kWarpTile / kPtxRows; y++) {
      const float* const a = operands.a[y];
#pragma unroll
      for (int x = 0; x < kWarpTile / kPtxColumns; x++) {
        const float* const b = operands.b[x];
        float* const s = sum[y][x];
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
            : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
              "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
      }
    }
#endif
  }
  __device__ void store(float* c, int n) const {
    const int i = threadIdx.x % 32 / 4, j = threadIdx.x % 4;
#pragma unroll
    for (int y = 0; y < kWarpTile / kPtxRows; y++)
#pragma unroll
      for (int x = 0; x < kWarpTile / kPtxColumns; x++) {
        float* const first = &c[(y * kPtxRows + i) * size_t(n) + x * kPtxColumns + 2 * j];
        const float* const s = sum[y][x];
        *reinterpret_cast<float2*>(first) = make_float2(s[0], s[1]);
        *reinterpret_cast<float2*>(first + 8 * size_t(n)) = make_float2(s[2], s[3]);
      }
  }
};

// c = a * b: a is m x k, b is k x n, c is m x n, row after row. m, n and k are multiples of kRows,
// kColumns and 2 * kDepth; k > 0. Sums: how a warp multiplies.
template <typename T, typename Sums>
__global__ void __launch_bounds__(kThreads)
    matmul_tensor(const T* a, const T* b, float* c, int m, int n, int k) {
  extern __shared__ __align__(128) unsigned char shared[];
  Stage<T>* const stages = reinterpret_cast<Stage<T>*>(shared);
  constexpr int kDepth = Format<T>::kDepth, kFragmentDepth = Format<T>::kFragmentDepth;

  // The block's tile of c: kGroup rows of tiles are done column by column.
  const int tiles_across = n / kColumns, tiles_down = m / kRows;
  const int first_tile = blockIdx.x / (kGroup * tiles_across) * kGroup;
  const int group_rows = min(kGroup, tiles_down - first_tile);
  const int in_group = blockIdx.x % (kGroup * tiles_across);
  const int block_row = (first_tile + in_group % group_rows) * kRows;
  const int block_column = in_group / group_rows * kColumns;
  const int warp = threadIdx.x / 32;
  const int row = warp / (kColumns / kWarpTile) * kWarpTile;
  const int column = warp % (kColumns / kWarpTile) * kWarpTile;

  Sums sums;
  Copies<T> copies(a + block_row * size_t(k), b + block_column, n, k);
  const int steps = k / kDepth;
  for (int step = 0; step < kStages - 1; step++) {
    copies.start(stages[step], n, k);
    __pipeline_commit();
  }
  __pipeline_wait_prior(kStages - 2);
  __syncthreads();
  typename Sums::Operands operands[2];  // one pair is multiplied while the other is loaded
  operands[0].load(stages[0], row, column, 0);

  for (int step = 0; step < steps; step++) {
    const int ahead = step + kStages - 1;
    if (ahead < steps) copies.start(stages[ahead % kStages], n, k);
    __pipeline_commit();
    constexpr int kParts = kDepth / kFragmentDepth;
#pragma unroll
    for (int part = 0; part < kParts; part++) {
      if (part + 1 < kParts) {
        operands[(part + 1) % 2].load(stages[step % kStages], row, column,
                                      (part + 1) * kFragmentDepth);
      } else {  // the next step's first
        __pipeline_wait_prior(kStages - 2);
        __syncthreads();
        if (step + 1 < steps) operands[0].load(stages[(step + 1) % kStages], row, column, 0);
      }
      sums.add(operands[part % 2]);
    }
  }
  sums.store(&c[(block_row + row) * size_t(n) + block_column + column], n);
}

#if !HAS_TF32  // for older GPUs this must compile, although main() does not run it there
template <>
struct FragmentSums<float> : PtxSums {};
#endif

template <typename T, typename Sums>
void launch(const T* a, const T* b, float* c, Sizes s) {
  constexpr int kBytes = kStages * sizeof(Stage<T>);
  HANDLE_ERROR(cudaFuncSetAttribute(matmul_tensor<T, Sums>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const unsigned blocks = s.m / kRows * (s.n / kColumns);
  matmul_tensor<T, Sums><<<blocks, kThreads, kBytes>>>(a, b, c, s.m, s.n, s.k);
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

template <typename T>
constexpr Tile kTileOf = {kRows, kColumns, (kStages - 1) * Format<T>::kDepth};

const std::vector<Way> kWays = {
    way<half>("half, sums in float", launch<half, FragmentSums<half>>, kTileOf<half>, 0x1p-11,
              to_half),
    way<float>("tf32, sums in float", launch<float, FragmentSums<float>>, kTileOf<float>, 0x1p-11,
               to_tf32),
    way<float>("tf32 with mma in PTX", launch<float, PtxSums>, kTileOf<float>, 0x1p-11, to_tf32)};

bool has_tf32() {
  int device = 0, major = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major >= 8;
}

int main(int argc, char** argv) {
  const std::vector<Way> ways(kWays.begin(), has_tf32() ? kWays.end() : kWays.begin() + 1);
  return matmul_program(argc, argv, "Multiplies two matrices on tensor cores.", ways, 128, true);
}
