// Gravity from global memory, a body as one float4.
#pragma once

#include "../common/handle_error.h"
#include "body.h"

namespace nbody {

// One thread per body. A float4 has 16 bytes and is aligned to 16, so it is one load. float3 and
// mass take four.
static __global__ void float4_kernel(const float4* bodies, int n, int first, int count,
                                     float softening_squared, float3* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 me = bodies[first + i];
  float3 sum = make_float3(0, 0, 0);
#pragma unroll 8
  for (int j = 0; j < n; j++) {
    const float4 other = bodies[j];
    attract(sum, other.x - me.x, other.y - me.y, other.z - me.z, other.w, softening_squared);
  }
  accelerations[i] = sum;
}

inline void gravity_float4(const Field& field) {
  if (field.count == 0) return;
  float4_kernel<<<blocks_for(field.count, field.threads), field.threads, 0, field.stream>>>(
      field.bodies, field.n, field.first, field.count, field.softening_squared,
      field.accelerations);
  HANDLE_ERROR(cudaGetLastError());
}

const Version kFloat4 = {"float4", "global memory, float4", gravity_float4, no_scratch};

}  // namespace nbody
