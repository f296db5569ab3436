// Gravity with each pair of bodies computed once, by Newton's third law: the force of body j on
// body i is the opposite of the force of i on j.
//
// A pair costs 17 instructions instead of twice 13 as in registers_kernel: 3 subtractions, 3
// multiply-adds and 1 reciprocal square root for the distance, 4 multiplications for the two
// strengths, 6 multiply-adds for the two sums.
//
// Rows and columns. The bodies to accelerate are divided into rows of kWarps * 32 * kPerThread
// bodies, which a block holds in registers together with their sums. They are also divided into
// columns of 32 bodies, which meet a row one after the other. A row meets the columns from its own
// first body on, because earlier rows have met it already. There are three kinds of meetings:
//
//   columns of the row itself   one-sided: every body of the row is also in a column
//   later columns               both sides, each pair once
//   other devices' bodies       one-sided: the other device computes the other side
//
// No sum uses atomics, so the same bodies give the same bits each time. A column's sums have a
// place of their own for each row. A row's sums have one for each block that worked on the row.
// sum_pairs adds them in a fixed order.
#pragma once

#include <algorithm>

#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "body.h"

namespace nbody {

constexpr int kColumn = 32;   // bodies of a column: one for each thread of a warp
constexpr int kTogether = 12;  // pairs of a thread that are computed at a time

// Both sides of the pairs of `other` with a few bodies at the same time. First all distances, then
// all sums. The result does not depend on this order, nor on that of the coordinates (z before y).
// But with it, the compiler (CUDA 13.0) chooses registers about as well as in the best of 250
// variants that were timed (see MORE.md).
template <int kBodies>
__device__ inline void attract_both(const float4* me, float3* sums, const float4& other,
                                    float3& others_sum, float softening_squared) {
  float3 d[kBodies];  // from each of the bodies to `other`
  float inverse[kBodies];
#pragma unroll
  for (int k = 0; k < kBodies; k++) {
    d[k].x = other.x - me[k].x;
    d[k].z = other.z - me[k].z;
    d[k].y = other.y - me[k].y;
    inverse[k] = inverse_square_root(d[k].x * d[k].x +
                                     (d[k].z * d[k].z + (d[k].y * d[k].y + softening_squared)));
  }
#pragma unroll
  for (int k = 0; k < kBodies; k++) {
    const float square = inverse[k] * inverse[k], cube = square * inverse[k];
    const float to_me = cube * me[k].w, to_other = cube * other.w;
    others_sum.z -= to_me * d[k].z;
    others_sum.x -= to_me * d[k].x;
    others_sum.y -= to_me * d[k].y;
    sums[k].x += to_other * d[k].x;
    sums[k].y += to_other * d[k].y;
    sums[k].z += to_other * d[k].z;
  }
}

// The work of some rows as one sequence: row by row, column by column.
struct PairsPlan {
  int n, first, count;  // as in Field
  int row_size;         // bodies
  int first_row, rows;  // of this launch; `row` below counts from first_row
  int blocks;           // each gets an equal share of the sequence, within one column

  // The first of a row's bodies, and the columns from there on, among the bodies to accelerate.
  __host__ __device__ int row_start(int row) const { return (first_row + row) * row_size; }
  __host__ __device__ int own_columns_of(int row) const { return columns(count - row_start(row)); }
  // The columns that all earlier rows meet: their own (row_size / kColumn fewer for each row), and
  // those of the n - count other bodies.
  __host__ __device__ long long columns_before(int row) const {
    return static_cast<long long>(row) * (own_columns_of(0) + columns(n - count)) -
           static_cast<long long>(row) * (row - 1) / 2 * (row_size / kColumn);
  }
  // Where block `block` starts in the sequence, and which block is at `place`.
  __host__ __device__ long long start_of(int block) const {
    return block * columns_before(rows) / blocks;
  }
  __host__ __device__ int block_at(long long place) const {
    return static_cast<int>(((place + 1) * blocks - 1) / columns_before(rows));
  }

 private:
  __host__ __device__ static int columns(int bodies) { return (bodies + kColumn - 1) / kColumn; }
};

// The body at position `lane` of column `column` of a row. Beyond the last one, a body without
// mass.
__device__ inline float4 column_body(const float4* bodies, const PairsPlan& plan, int row,
                                     int column, int lane) {
  const int own_columns = plan.own_columns_of(row);
  int body = 0;
  if (column < own_columns) {
    body = plan.row_start(row) + column * kColumn + lane;
    body = body < plan.count ? body + plan.first : plan.n;
  } else {  // of the others
    body = (column - own_columns) * kColumn + lane;
    if (body >= plan.first) body += plan.count;
  }
  return body < plan.n ? bodies[body] : make_float4(0, 0, 0, 0);
}

// A column in shared memory, stored twice. Four arrays instead of one of float4: a load of 16 bytes
// needs four consecutive registers. With four loads, the compiler has more choice, and its choice
// of registers decides the speed (see MORE.md).
struct TwiceColumn {
  float x[2 * kColumn], y[2 * kColumn], z[2 * kColumn], mass[2 * kColumn];

  __device__ void set(int lane, const float4& body) {
    x[lane] = x[lane + kColumn] = body.x;
    y[lane] = y[lane + kColumn] = body.y;
    z[lane] = z[lane + kColumn] = body.z;
    mass[lane] = mass[lane + kColumn] = body.w;
  }
  __device__ float4 operator[](int i) const { return make_float4(x[i], y[i], z[i], mass[i]); }
};

// A block computes its share of the sequence. It holds the row in registers, and one column at a
// time in shared memory, stored twice. So thread `lane` of a warp finds body (lane + turn) % 32 at
// [lane + turn], and meets all 32 in 32 turns. The column's sums move from thread to thread by
// shuffles, and are back after 32 turns. All warps have the same column and different bodies of the
// row, so the column's sums are added over the warps at its end. Everything has two buffers, so one
// barrier per column is enough.
//
// column_sums[row][body]: the pull of the row on a later body. row_sums[block + row][place]: the
// pull of the columns of a block's share on the row. Each share of a row has a different number
// block + row, because from one share to the next the block or the row or both increase by one.
template <int kPerThread, int kWarps>
__global__ void __launch_bounds__(kWarps * 32)
    pairs_kernel(const float4* bodies, PairsPlan plan, float softening_squared, float3* column_sums,
                 float3* row_sums) {
  __shared__ TwiceColumn columns[2];
  __shared__ float3 warp_sums[2][kWarps][kColumn];
  constexpr int kRowColumns = kWarps * kPerThread;  // columns that are the row itself
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const long long end = plan.start_of(blockIdx.x + 1);
  int row = 0;
  for (long long place = plan.start_of(blockIdx.x); place < end;) {
    while (plan.columns_before(row + 1) <= place) row++;
    const int first_column = static_cast<int>(place - plan.columns_before(row));
    const int share = static_cast<int>(min(end, plan.columns_before(row + 1)) - place);
    const int row_start = plan.row_start(row), own_columns = plan.own_columns_of(row);
    const auto both_sides = [&](int column) {
      return column >= kRowColumns && column < own_columns;
    };
    // The sums of a column that all warps have finished. The warps take turns to add one up.
    const auto finish_column = [&](int step) {
      const int column = first_column + step, body = row_start + column * kColumn + lane;
      if (step % kWarps != warp || !both_sides(column) || body >= plan.count) return;
      float3 total = make_float3(0, 0, 0);
#pragma unroll
      for (int w = 0; w < kWarps; w++) {
        const float3 part = warp_sums[step % 2][w][lane];
        total.x += part.x;
        total.y += part.y;
        total.z += part.z;
      }
      column_sums[static_cast<size_t>(row) * plan.count + body] = total;
    };

    float4 me[kPerThread];
    float3 sum[kPerThread];
#pragma unroll
    for (int k = 0; k < kPerThread; k++) {
      const int body = row_start + k * kWarps * 32 + threadIdx.x;
      me[k] = body < plan.count ? bodies[plan.first + body] : make_float4(0, 0, 0, 0);
      sum[k] = make_float3(0, 0, 0);
    }
    float4 next = column_body(bodies, plan, row, first_column, lane);
    for (int step = 0; step < share; step++) {
      const int column = first_column + step;
      if (warp == 0) columns[step % 2].set(lane, next);
      __syncthreads();
      if (step + 1 < share) next = column_body(bodies, plan, row, column + 1, lane);
      if (step > 0) finish_column(step - 1);
      const TwiceColumn& around = columns[step % 2];
      if (both_sides(column)) {
        float3 others = make_float3(0, 0, 0);
#pragma unroll 2
        for (int turn = 0; turn < kColumn; turn++) {
          const float4 other = around[lane + turn];
#pragma unroll
          for (int k = 0; k + kTogether <= kPerThread; k += kTogether)
            attract_both<kTogether>(me + k, sum + k, other, others, softening_squared);
          constexpr int kRest = kPerThread % kTogether;
          if constexpr (kRest > 0)
            attract_both<kRest>(me + kPerThread - kRest, sum + kPerThread - kRest, other, others,
                                softening_squared);
          others.x = __shfl_sync(0xffffffffu, others.x, lane + 1);
          others.y = __shfl_sync(0xffffffffu, others.y, lane + 1);
          others.z = __shfl_sync(0xffffffffu, others.z, lane + 1);
        }
        warp_sums[step % 2][warp][lane] = others;
      } else {
#pragma unroll 4
        for (int turn = 0; turn < kColumn; turn++) {
          const float4 other = around[lane + turn];
#pragma unroll
          for (int k = 0; k < kPerThread; k++)
            attract(sum[k], other.x - me[k].x, other.y - me[k].y, other.z - me[k].z, other.w,
                    softening_squared);
        }
      }
    }
    __syncthreads();
    finish_column(share - 1);
    float3* const sums = row_sums + static_cast<size_t>(blockIdx.x + row) * plan.row_size;
#pragma unroll
    for (int k = 0; k < kPerThread; k++) sums[k * kWarps * 32 + threadIdx.x] = sum[k];
    place += share;
  }
}

constexpr int kSummers = 8;  // threads that add up for one body

// Adds up the sums of a launch's rows, always in the same order. Blocks have 32 x kSummers threads,
// and each column of threads adds for one body.
static __global__ void sum_pairs(PairsPlan plan, const float3* column_sums, const float3* row_sums,
                                 float3* accelerations) {
  __shared__ float3 parts[kSummers][32];
  const int body = blockIdx.x * 32 + threadIdx.x;
  const int row = body / plan.row_size - plan.first_row;
  if (body < plan.count && row >= 0) {
    float3 sum = make_float3(0, 0, 0);
    const auto add = [&](const float3& part) {
      sum.x += part.x;
      sum.y += part.y;
      sum.z += part.z;
    };
#pragma unroll 8
    for (int earlier = threadIdx.y; earlier < min(row, plan.rows); earlier += kSummers)
      add(column_sums[static_cast<size_t>(earlier) * plan.count + body]);
    if (row < plan.rows) {
      const int first = plan.block_at(plan.columns_before(row));
      const int last = plan.block_at(plan.columns_before(row + 1) - 1);
#pragma unroll 8
      for (int block = first + threadIdx.y; block <= last; block += kSummers)
        add(row_sums[static_cast<size_t>(block + row) * plan.row_size + body % plan.row_size]);
    }
    parts[threadIdx.y][threadIdx.x] = sum;
  }
  __syncthreads();
  if (threadIdx.y > 0 || body >= plan.count || row < 0) return;
  float3 sum = plan.first_row > 0 ? accelerations[body] : make_float3(0, 0, 0);
  for (int k = 0; k < kSummers; k++) {
    sum.x += parts[k][threadIdx.x].x;
    sum.y += parts[k][threadIdx.x].y;
    sum.z += parts[k][threadIdx.x].z;
  }
  accelerations[body] = sum;
}

// kMostBytes: the memory for the column sums of a launch. More rows need more launches.
template <int kPerThread, int kWarps, size_t kMostBytes>
PairsPlan pairs_plan(int n, int first, int count) {
  int blocks_each = 0;
  HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks_each, pairs_kernel<kPerThread, kWarps>, kWarps * 32, 0));
  PairsPlan plan{};
  plan.n = n;
  plan.first = first;
  plan.count = count;
  plan.row_size = kPerThread * kWarps * 32;
  const size_t fit = kMostBytes / (count * sizeof(float3));
  plan.rows = static_cast<int>(
      std::clamp<size_t>(fit, 1, (static_cast<size_t>(count) + plan.row_size - 1) / plan.row_size));
  plan.blocks = course::multiprocessors() * blocks_each;
  return plan;
}

template <int kPerThread, int kWarps, size_t kMostBytes>
size_t pairs_scratch_bytes(int n, int count, int) {
  if (count == 0) return 0;
  const PairsPlan plan = pairs_plan<kPerThread, kWarps, kMostBytes>(n, 0, count);
  return sizeof(float3) * (static_cast<size_t>(plan.rows) * count +
                           static_cast<size_t>(plan.blocks + plan.rows) * plan.row_size);
}

template <int kPerThread, int kWarps, size_t kMostBytes>
void gravity_pairs(const Field& field) {
  if (field.count == 0) return;
  PairsPlan plan = pairs_plan<kPerThread, kWarps, kMostBytes>(field.n, field.first, field.count);
  const int all_rows = blocks_for(field.count, plan.row_size), most_rows = plan.rows;
  const int most_blocks = plan.blocks;  // and no more than columns, so that no block is without work
  float3* const column_sums = static_cast<float3*>(field.scratch);
  float3* const row_sums = column_sums + static_cast<size_t>(most_rows) * field.count;
  for (; plan.first_row < all_rows; plan.first_row += most_rows) {
    plan.rows = std::min(most_rows, all_rows - plan.first_row);
    plan.blocks =
        static_cast<int>(std::min<long long>(most_blocks, plan.columns_before(plan.rows)));
    pairs_kernel<kPerThread, kWarps><<<plan.blocks, kWarps * 32, 0, field.stream>>>(
        field.bodies, plan, field.softening_squared, column_sums, row_sums);
    HANDLE_ERROR(cudaGetLastError());
    sum_pairs<<<blocks_for(field.count, 32), dim3(32, kSummers), 0, field.stream>>>(
        plan, column_sums, row_sums, field.accelerations);
    HANDLE_ERROR(cudaGetLastError());
  }
}

template <int kPerThread, int kWarps, size_t kMostBytes = size_t(512) << 20>
constexpr Version pairs_version() {
  return {"pairs", "registers and shuffles, each pair once",
          gravity_pairs<kPerThread, kWarps, kMostBytes>,
          pairs_scratch_bytes<kPerThread, kWarps, kMostBytes>, kWarps * 32};
}

// 19 bodies of 7 numbers, a column and its sums just fit into the 255 registers of a thread.
const Version kPairs = pairs_version<19, 1>();

}  // namespace nbody
