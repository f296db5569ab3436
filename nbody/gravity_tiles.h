// Gravity with tiles: a block lets a row of bodies pull on a column of bodies, all pairs at once.
#pragma once

#include <cuda_tile.h>

#include "../common/handle_error.h"
#include "body.h"

namespace nbody {

constexpr int kPulled = 64, kPulling = 16;  // bodies of a tile: those that are accelerated, and the others

// A body is four floats: x, y, z and mass; an acceleration three. Each block computes for kPulled
// bodies. See attract() in body.h for the formula.
static __tile_global__ void tiles_kernel(const float* __restrict__ bodies, int n, int first,
                                         int count, float softening_squared,
                                         float* __restrict__ accelerations) {
  namespace ct = cuda::tiles;
  using Pulled = ct::tile<int, ct::shape<kPulled, 1>>;    // a column
  using Pulling = ct::tile<int, ct::shape<1, kPulling>>;  // a row
  using Pairs = ct::tile<float, ct::shape<kPulled, kPulling>>;

  const Pulled i = int(ct::bid().x) * kPulled + ct::iota<Pulled>();
  const auto exists = i < count;
  const auto me = bodies + 4 * (first + i);
  const auto my_x = ct::load_masked(me, exists, 0.0f);
  const auto my_y = ct::load_masked(me + 1, exists, 0.0f);
  const auto my_z = ct::load_masked(me + 2, exists, 0.0f);

  auto sum_x = ct::zeros<Pairs>(), sum_y = ct::zeros<Pairs>(), sum_z = ct::zeros<Pairs>();
  for (int start = 0; start < n; start += kPulling) {
    const Pulling j = start + ct::iota<Pulling>();
    const auto pulls = j < n;
    const auto other = bodies + 4 * j;
    const Pairs dx = ct::load_masked(other, pulls, 0.0f) - my_x;  // a row minus a column: all pairs
    const Pairs dy = ct::load_masked(other + 1, pulls, 0.0f) - my_y;
    const Pairs dz = ct::load_masked(other + 2, pulls, 0.0f) - my_z;
    const auto mass = ct::load_masked(other + 3, pulls, 0.0f);  // 0: no pull
    const Pairs distance_squared = dx * dx + (dy * dy + (dz * dz + softening_squared));
    const Pairs inverse = ct::rsqrt(distance_squared, ct::round_subnormals_to_zero_t{});
    const Pairs strength = (mass * inverse) * (inverse * inverse);
    sum_x = sum_x + strength * dx;
    sum_y = sum_y + strength * dy;
    sum_z = sum_z + strength * dz;
  }
  const auto to = accelerations + 3 * i;
  ct::store_masked(to, ct::sum<1>(sum_x), exists);
  ct::store_masked(to + 1, ct::sum<1>(sum_y), exists);
  ct::store_masked(to + 2, ct::sum<1>(sum_z), exists);
}

inline void gravity_tiles(const Field& field) {
  if (field.count == 0) return;
  tiles_kernel<<<blocks_for(field.count, kPulled), 1, 0, field.stream>>>(
      reinterpret_cast<const float*>(field.bodies), field.n, field.first, field.count,
      field.softening_squared, reinterpret_cast<float*>(field.accelerations));
  HANDLE_ERROR(cudaGetLastError());
}

// The number of threads is the compiler's business.
const Version kTiles = {"tiles", "tiles of 64 x 16 pairs", gravity_tiles, no_scratch, 1};

}  // namespace nbody
