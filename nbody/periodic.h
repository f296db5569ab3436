// A periodic box with sides of 1: positions that are whole numbers apart are the same.
#pragma once

#include <cuda_runtime.h>

namespace nbody {

// The distance to the nearest image: from -1/2 to 1/2, whatever whole number of boxes lies between.
// Adding 1.5 * 2^23 leaves a float no place for a fraction, so this rounds to the nearest whole
// number with two additions; rintf() does the same on the GPU's slower unit.
__host__ __device__ inline float nearest(float distance) {
  const float no_fraction = 12582912.0f;
  const float boxes = (distance + no_fraction) - no_fraction;
  return distance - boxes;
}

// Brings a position back into the box from however far away. The second line is for what lies
// less than half a rounding error below 0, and would become 1.
__host__ __device__ inline float wrap(float position) {
  const float inside = position - floorf(position);
  return inside < 1 ? inside : 0;
}

}  // namespace nbody
