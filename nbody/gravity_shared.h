// Gravity from shared memory: a block reads the bodies tile by tile, each body once per block.
#pragma once

#include "../common/handle_error.h"
#include "body.h"

namespace nbody {

// One thread per body. A tile holds one body per thread of the block, whatever the block's size.
// Threads without a body do not return: they help to load the tile, and all threads of a block must
// reach the barriers. Slots of a tile after the last body hold a body without mass.
static __global__ void shared_kernel(const float4* bodies, int n, int first, int count,
                                     float softening_squared, float3* accelerations) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int tile_size = blockDim.x;
  const float4 massless = make_float4(0, 0, 0, 0);
  const float4 me = i < count ? bodies[first + i] : massless;
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += tile_size) {
    const int mine = start + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : massless;
    __syncthreads();  // the tile is full
#pragma unroll 16
    for (int j = 0; j < tile_size; j++)
      attract(sum, tile[j].x - me.x, tile[j].y - me.y, tile[j].z - me.z, tile[j].w,
              softening_squared);
    __syncthreads();  // all threads have read the tile
  }
  if (i < count) accelerations[i] = sum;
}

inline void gravity_shared(const Field& field) {
  if (field.count == 0) return;
  const size_t tile_bytes = field.threads * sizeof(float4);
  shared_kernel<<<blocks_for(field.count, field.threads), field.threads, tile_bytes,
                  field.stream>>>(field.bodies, field.n, field.first, field.count,
                                  field.softening_squared, field.accelerations);
  HANDLE_ERROR(cudaGetLastError());
}

const Version kShared = {"shared", "shared memory, tiles of float4", gravity_shared, no_scratch};

}  // namespace nbody
