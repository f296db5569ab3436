// Predicts the time of a step on many devices from the kernel's speed, a message's latency and the
// bandwidth.
#pragma once

#include <algorithm>
#include <cmath>

namespace nbody {

// All times in milliseconds.
struct RingModel {
  double round_ms = 0;            // cost of a part in addition to its interactions: launches, the start
  double ms_per_interaction = 0;  // of one rank alone
  double latency_ms = 0;          // of a message to the next rank, with all copies on its way
  double ms_per_byte = 0;
  bool overlaps = true;  // whether messages travel while the device computes

  // One part: the pull of so many bodies on as many. `sharing` ranks share a device, or a core.
  double part_ms(double bodies, double sharing = 1) const {
    return sharing * (round_ms + bodies * bodies * ms_per_interaction);
  }

  // The positions and masses of so many bodies, from each rank to the next.
  double message_ms(double bodies) const { return latency_ms + 16 * bodies * ms_per_byte; }

  // A step: as many parts as ranks, and a message with each but the last. If messages travel while
  // the device computes, the longer of the two counts.
  double step_ms(double n, double ranks, double sharing = 1) const {
    const double part = part_ms(n / ranks, sharing), message = message_ms(n / ranks);
    const double both = overlaps ? std::max(part, message) : part + message;
    return part + (ranks - 1) * both;
  }
};

// The line through two measurements of time over a number of units.
struct Line {
  double at_0, per_unit;
};
inline Line line_through(double units_1, double ms_1, double units_2, double ms_2) {
  const double slope = units_1 == units_2 ? 0 : (ms_2 - ms_1) / (units_2 - units_1);
  const double per_unit = std::max(slope, 0.0);  // noise must not make time run backwards
  return {std::max(0.0, ms_1 - per_unit * units_1), per_unit};
}

}  // namespace nbody
