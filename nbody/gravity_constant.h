// Gravity from constant memory: 4000 bodies at a time, because constant memory ends at 64 KB.
#pragma once

#include <algorithm>

#include "../common/handle_error.h"
#include "body.h"

namespace nbody {

constexpr int kConstantBodies = 4000;  // 62.5 KB; the rest is for other variables
static __constant__ float4 constant_bodies[kConstantBodies];

// Adds the pull of the first n bodies in constant memory. All threads of a warp read the same body
// at the same time. Constant memory is made for that: one read serves 32 threads.
static __global__ void constant_kernel(const float4* bodies, int n, int first, int count,
                                       float softening_squared, float3* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 me = bodies[first + i];
  float3 sum = make_float3(0, 0, 0);
#pragma unroll 16
  for (int j = 0; j < n; j++) {
    const float4 other = constant_bodies[j];
    attract(sum, other.x - me.x, other.y - me.y, other.z - me.z, other.w, softening_squared);
  }
  accelerations[i].x += sum.x;
  accelerations[i].y += sum.y;
  accelerations[i].z += sum.z;
}

// Copies and kernels are queued in one stream, so a kernel finds its own bodies in constant memory:
// the copy waits for the kernel before it, and the next copy waits for this kernel.
inline void gravity_constant(const Field& field) {
  if (field.count == 0) return;
  // The kernel adds to the accelerations, pass by pass, so they start from 0.
  HANDLE_ERROR(cudaMemsetAsync(field.accelerations, 0, field.count * sizeof(float3), field.stream));
  for (int start = 0; start < field.n; start += kConstantBodies) {
    const int bodies_this_pass = std::min(kConstantBodies, field.n - start);
    HANDLE_ERROR(cudaMemcpyToSymbolAsync(constant_bodies, field.bodies + start,
                                         bodies_this_pass * sizeof(float4), 0,
                                         cudaMemcpyDeviceToDevice, field.stream));
    constant_kernel<<<blocks_for(field.count, field.threads), field.threads, 0, field.stream>>>(
        field.bodies, bodies_this_pass, field.first, field.count, field.softening_squared,
        field.accelerations);
    HANDLE_ERROR(cudaGetLastError());
  }
}

const Version kConstant = {"constant", "constant memory, 4000 at a time", gravity_constant,
                           no_scratch};

}  // namespace nbody
