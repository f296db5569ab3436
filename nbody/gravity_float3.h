// Gravity from global memory, with positions as float3 and masses in another array.
#pragma once

#include "../common/handle_error.h"
#include "body.h"

namespace nbody {

// One thread per body: the outer loop of the CPU's version has become the grid.
static __global__ void float3_kernel(const float3* positions, const float* masses, int n, int first,
                                     int count, float softening_squared, float3* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float3 me = positions[first + i];
  float3 sum = make_float3(0, 0, 0);
#pragma unroll 8
  for (int j = 0; j < n; j++) {
    const float3 other = positions[j];  // three loads of 4 bytes, and one for the mass
    attract(sum, other.x - me.x, other.y - me.y, other.z - me.z, masses[j], softening_squared);
  }
  accelerations[i] = sum;
}

// The simulation keeps its bodies as float4, and this splits them. n reads cost nothing next to n *
// n.
static __global__ void take_apart(const float4* bodies, int n, float3* positions, float* masses) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  positions[i] = make_float3(bodies[i].x, bodies[i].y, bodies[i].z);
  masses[i] = bodies[i].w;
}

inline size_t float3_scratch_bytes(int n, int, int) {
  return static_cast<size_t>(n) * (sizeof(float3) + sizeof(float));
}

inline void gravity_float3(const Field& field) {
  if (field.count == 0) return;  // a grid of 0 blocks is an error
  float3* positions = static_cast<float3*>(field.scratch);
  float* masses = reinterpret_cast<float*>(positions + field.n);
  take_apart<<<blocks_for(field.n, field.threads), field.threads, 0, field.stream>>>(
      field.bodies, field.n, positions, masses);
  HANDLE_ERROR(cudaGetLastError());
  float3_kernel<<<blocks_for(field.count, field.threads), field.threads, 0, field.stream>>>(
      positions, masses, field.n, field.first, field.count, field.softening_squared,
      field.accelerations);
  HANDLE_ERROR(cudaGetLastError());
}

const Version kFloat3 = {"float3", "global memory, float3", gravity_float3, float3_scratch_bytes};

}  // namespace nbody
