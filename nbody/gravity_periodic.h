// Gravity in a periodic box with sides of 1: only the nearest image of each body pulls.
#pragma once

#include "../common/handle_error.h"
#include "body.h"
#include "periodic.h"

namespace nbody {

// Like shared_kernel in gravity_shared.h, except for nearest(). Positions may be anywhere: they
// need not be moved back into the box.
static __global__ void box_kernel(const float4* bodies, int n, int first, int count,
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
    __syncthreads();
#pragma unroll 16
    for (int j = 0; j < tile_size; j++)
      attract(sum, nearest(tile[j].x - me.x), nearest(tile[j].y - me.y), nearest(tile[j].z - me.z),
              tile[j].w, softening_squared);
    __syncthreads();
  }
  if (i < count) accelerations[i] = sum;
}

inline void gravity_periodic(const Field& field) {
  if (field.count == 0) return;
  box_kernel<<<blocks_for(field.count, field.threads), field.threads,
               field.threads * sizeof(float4), field.stream>>>(field.bodies, field.n, field.first,
                                                               field.count, field.softening_squared,
                                                               field.accelerations);
  HANDLE_ERROR(cudaGetLastError());
}

const Version kPeriodic = {"periodic", "shared memory, the nearest images", gravity_periodic,
                           no_scratch};

}  // namespace nbody
