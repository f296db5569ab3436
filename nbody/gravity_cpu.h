// The accelerations of all bodies on the CPU: the plain double loop, on one core and on all.
#pragma once

#include <vector>

#include "body.h"

namespace nbody {

inline void gravity_cpu(const float4* bodies, int n, float softening_squared,
                        float3* accelerations) {
  for (int i = 0; i < n; i++) {
    const float4 me = bodies[i];
    float3 sum = make_float3(0, 0, 0);
    for (int j = 0; j < n; j++)
      attract(sum, bodies[j].x - me.x, bodies[j].y - me.y, bodies[j].z - me.z, bodies[j].w,
              softening_squared);
    accelerations[i] = sum;
  }
}

#ifdef _OPENMP  // the compiler uses all cores, and the vector lanes of each

// The same loop, but each core computes some of the bodies.
inline void gravity_cores(const float4* bodies, int n, float softening_squared,
                          float3* accelerations) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    const float4 me = bodies[i];
    float3 sum = make_float3(0, 0, 0);
    for (int j = 0; j < n; j++)
      attract(sum, bodies[j].x - me.x, bodies[j].y - me.y, bodies[j].z - me.z, bodies[j].w,
              softening_squared);
    accelerations[i] = sum;
  }
}

// Those of one body, 4, 8 or 16 interactions at a time. The compiler makes a version for each kind
// of CPU, and the program chooses the one for its own. (64-bit Arm has vectors of 4 on every CPU.)
#ifdef __x86_64__
#define FOR_EACH_CPU __attribute__((target_clones("avx512f", "avx2,fma", "default")))
#else
#define FOR_EACH_CPU
#endif
FOR_EACH_CPU static float3 gravity_simd_one(
    const float* x, const float* y, const float* z, const float* mass, int n, float4 me,
    float softening_squared) {
  float sum_x = 0, sum_y = 0, sum_z = 0;
#pragma omp simd reduction(+ : sum_x, sum_y, sum_z)
  for (int j = 0; j < n; j++) {
    float3 pull = {0, 0, 0};
    attract(pull, x[j] - me.x, y[j] - me.y, z[j] - me.z, mass[j], softening_squared);
    sum_x += pull.x;
    sum_y += pull.y;
    sum_z += pull.z;
  }
  return {sum_x, sum_y, sum_z};
}

// All cores, all lanes. The lanes load neighboring numbers, so x, y, z and mass have arrays of
// their own.
inline void gravity_simd(const float4* bodies, int n, float softening_squared,
                         float3* accelerations) {
  std::vector<float> x(n), y(n), z(n), mass(n);
  for (int j = 0; j < n; j++) {
    x[j] = bodies[j].x;
    y[j] = bodies[j].y;
    z[j] = bodies[j].z;
    mass[j] = bodies[j].w;
  }
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    accelerations[i] = gravity_simd_one(x.data(), y.data(), z.data(), mass.data(), n, bodies[i],
                                        softening_squared);
}

#endif

}  // namespace nbody
