// The law of gravity between two bodies, for the CPU and the device, and what every version of the
// all-pairs loop must do.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace nbody {

__host__ __device__ inline float inverse_square_root(float x) { return rsqrtf(x); }
__host__ __device__ inline double inverse_square_root(double x) { return 1.0 / sqrt(x); }

// Adds to `acceleration` the pull of a body of mass `mass` at distance (dx, dy, dz), in units where
// the constant of gravity is 1:
//
//   mass * (dx, dy, dz) / (dx^2 + dy^2 + dz^2 + softening^2)^(3/2)
//
// The softening keeps close encounters finite: bodies act like balls of about that radius. It also
// makes the pull of a body on itself 0 without an `if`, so it must not be 0 (see
// softening_squared).
//
// The order matters. The sum of squares is three multiply-adds, one instruction each. The
// reciprocal square root is also one instruction (accurate to 2 units in the last place); 1 / sqrt
// or pow(..., 1.5) would be twenty. The cube is (mass * inverse) * inverse^2, which avoids an early
// overflow. In all: 3 subtractions, 6 multiply-adds, 3 multiplications and 1 reciprocal square
// root, 13 instructions. By convention they count as 20 operations.
template <typename Vector, typename Real>
__host__ __device__ inline void attract(Vector& acceleration, Real dx, Real dy, Real dz, Real mass,
                                        Real softening_squared) {
  const Real distance_squared = dx * dx + (dy * dy + (dz * dz + softening_squared));
  const Real inverse = inverse_square_root(distance_squared);
  const Real strength = (mass * inverse) * (inverse * inverse);
  acceleration.x += strength * dx;
  acceleration.y += strength * dy;
  acceleration.z += strength * dz;
}

constexpr double kOperationsPerInteraction = 20;

// The square of a softening length. 0 becomes 10^-10 lengths, which has no effect on float
// positions of about 1. But a body at distance 0, such as the body itself, pulls with 0, not NaN.
inline float softening_squared(float softening) {
  const float smallest = 1e-10f;
  const float length = softening > smallest ? softening : smallest;
  return length * length;
}

// The accelerations that a version must compute. Bodies are x, y, z and mass; all pointers are to
// device memory.
struct Field {
  const float4* bodies;  // all n of them
  int n;
  int first, count;  // the bodies to accelerate: `count`, starting at number `first`
  float softening_squared;
  int threads;            // per block, 1 to 1024
  float3* accelerations;  // count of them, written
  void* scratch;          // scratch_bytes() of the version
  cudaStream_t stream;    // everything is queued here
};

// One way to compute them.
struct Version {
  const char* name;
  const char* memory;                                      // where the inner loop reads from
  void (*gravity)(const Field& field);                     // queues the work
  size_t (*scratch_bytes)(int n, int count, int threads);  // on the current device
  int own_threads = 0;  // per block, if the kernel fixes it; 0: any number
};

inline size_t no_scratch(int, int, int) { return 0; }

// The number of blocks of `threads` threads that gives each of `count` bodies a thread.
inline int blocks_for(int count, int threads) { return (count + threads - 1) / threads; }

}  // namespace nbody
