// The accelerations of all bodies on the CPU: the plain double loop.
#pragma once

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

}  // namespace nbody
