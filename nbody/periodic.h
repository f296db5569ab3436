// A periodic box with sides of 1: positions that are whole numbers apart are the same.
#pragma once

#include <cuda_runtime.h>

namespace nbody {

// The distance to the nearest image: from -1/2 to 1/2, whatever whole number of boxes lies between.
// A float of about 1.5 * 2^23 has no bits for a fraction, so two additions round to the nearest
// whole number. rintf() does the same on a slower unit of the GPU.
__host__ __device__ inline float nearest(float distance) {
  const float no_fraction = 12582912.0f;
  const float boxes = (distance + no_fraction) - no_fraction;
  return distance - boxes;
}

// Brings a position back into the box from however far away. The second line is for positions
// that are less than half a rounding error below 0, and would become 1.
__host__ __device__ inline float wrap(float position) {
  const float inside = position - floorf(position);
  return inside < 1 ? inside : 0;
}

}  // namespace nbody
