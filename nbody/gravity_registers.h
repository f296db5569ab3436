// Gravity from shared memory into registers: several bodies per thread, and several blocks that
// share the work for the same bodies.
#pragma once

#include <algorithm>

#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "body.h"

namespace nbody {

// As shared_kernel, with two changes.
//
// 1. A thread computes kPerThread bodies. One read of the tile and one iteration of the loop serve
//    kPerThread interactions. The arrays are in registers, because every index is known once the
//    loops over them are unrolled.
// 2. That leaves kPerThread times fewer blocks, too few for a large GPU. So blockIdx.y selects one
// of
//    several slices of the bodies that pull. Each slice has its own sums, and sum_slices adds them.
template <int kPerThread>
__global__ void __launch_bounds__(1024)
    registers_kernel(const float4* bodies, int n, int first, int count, int slice_size,
                     float softening_squared, float3* slice_sums) {
  extern __shared__ float4 tile[];
  const int tile_size = blockDim.x;
  const float4 massless = make_float4(0, 0, 0, 0);
  // A thread's bodies are a block's width apart, so neighboring threads read neighboring bodies.
  const int i = blockIdx.x * blockDim.x * kPerThread + threadIdx.x;
  float4 me[kPerThread];
  float3 sum[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; k++) {
    const int body = i + k * tile_size;
    me[k] = body < count ? bodies[first + body] : massless;
    sum[k] = make_float3(0, 0, 0);
  }
  const int slice_start = blockIdx.y * slice_size;
  const int slice_end = min(slice_start + slice_size, n);
  for (int start = slice_start; start < slice_end; start += tile_size) {
    const int mine = start + threadIdx.x;
    tile[threadIdx.x] = mine < slice_end ? bodies[mine] : massless;
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < tile_size; j++) {
      const float4 other = tile[j];
#pragma unroll
      for (int k = 0; k < kPerThread; k++)
        attract(sum[k], other.x - me[k].x, other.y - me[k].y, other.z - me[k].z, other.w,
                softening_squared);
    }
    __syncthreads();
  }
  float3* sums = slice_sums + static_cast<size_t>(blockIdx.y) * count;
#pragma unroll
  for (int k = 0; k < kPerThread; k++) {
    const int body = i + k * tile_size;
    if (body < count) sums[body] = sum[k];
  }
}

// Always in the same order, so that the same bodies give the same bits.
static __global__ void sum_slices(const float3* slice_sums, int slices, int count,
                                  float3* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float3 sum = make_float3(0, 0, 0);
  for (int slice = 0; slice < slices; slice++) {
    const float3 part = slice_sums[static_cast<size_t>(slice) * count + i];
    sum.x += part.x;
    sum.y += part.y;
    sum.z += part.z;
  }
  accelerations[i] = sum;
}

// How the bodies that pull are divided into slices. That does not depend on how many of the n
// bodies this device computes. So several devices give the same bits as one, if they are alike: the
// slices depend on the number of multiprocessors.
struct Slices {
  int count, size;
};
template <int kPerThread>
Slices slices_for(int n, int threads) {
  const int tiles = blocks_for(n, threads);
  const int blocks = blocks_for(tiles, kPerThread);
  const int wanted =
      16 * course::multiprocessors();  // enough that the last ones to end do not matter
  const int slices = std::clamp(blocks_for(wanted, blocks), 1, tiles);
  const int tiles_per_slice = blocks_for(tiles, slices);
  return {blocks_for(tiles, tiles_per_slice), tiles_per_slice * threads};
}

template <int kPerThread>
size_t registers_scratch_bytes(int n, int count, int threads) {
  if (n == 0) return 0;
  return static_cast<size_t>(slices_for<kPerThread>(n, threads).count) * count * sizeof(float3);
}

template <int kPerThread>
void gravity_registers(const Field& field) {
  if (field.count == 0) return;
  const Slices slices = slices_for<kPerThread>(field.n, field.threads);
  const int blocks = blocks_for(blocks_for(field.count, field.threads), kPerThread);
  const size_t tile_bytes = field.threads * sizeof(float4);
  float3* slice_sums = static_cast<float3*>(field.scratch);
  registers_kernel<kPerThread>
      <<<dim3(blocks, slices.count), field.threads, tile_bytes, field.stream>>>(
          field.bodies, field.n, field.first, field.count, slices.size, field.softening_squared,
          slice_sums);
  HANDLE_ERROR(cudaGetLastError());
  sum_slices<<<blocks_for(field.count, field.threads), field.threads, 0, field.stream>>>(
      slice_sums, slices.count, field.count, field.accelerations);
  HANDLE_ERROR(cudaGetLastError());
}

template <int kPerThread>
constexpr Version registers_version() {
  return {"registers", "shared memory, several bodies per thread", gravity_registers<kPerThread>,
          registers_scratch_bytes<kPerThread>};
}

const Version kRegisters = registers_version<4>();

}  // namespace nbody
