// The reference for the results: sums in double precision on the host.
#pragma once

#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bodies.h"
#include "body.h"

namespace nbody {

// The space of the bodies: endless, or a periodic box with sides of 1 (see periodic.h).
enum class Space { kOpen, kBox };

// From one coordinate to another. The nearest image is chosen in the precision of the
// coordinates, as in the kernels: half a box away, rounding decides, and the two choices have
// opposite pulls.
template <typename Real>
double distance(Real from, Real to, Space space) {
  const double direct = static_cast<double>(to) - from;
  return space == Space::kOpen ? direct : direct - std::rint(to - from);
}

// The bodies to compare if n^2 would take too long. They are evenly spread, so that at most 2^25
// interactions are computed: all of up to 5792 bodies, and always at least one.
inline std::vector<int> bodies_to_compare(int n) {
  if (n == 0) return {};
  const long long budget = 1LL << 25;
  const long long count = std::clamp(budget / n, 1LL, static_cast<long long>(n));
  std::vector<int> chosen;
  for (long long i = 0; i < count; i++) chosen.push_back(static_cast<int>(i * n / count));
  return chosen;
}

// The acceleration of one body, the same formula in double.
inline double3 reference_acceleration(const std::vector<float4>& bodies, int i, float softening,
                                      Space space = Space::kOpen) {
  const float4 me = bodies[i];
  const double softening_squared = nbody::softening_squared(softening);
  double3 sum = make_double3(0, 0, 0);
  for (const float4& other : bodies)
    attract(sum, distance(me.x, other.x, space), distance(me.y, other.y, space),
            distance(me.z, other.z, space), static_cast<double>(other.w), softening_squared);
  return sum;
}

// How much computed accelerations differ from the reference.
struct Accuracy {
  int compared = 0;
  double relative_error = 0;  // L2 norm of the differences over L2 norm of the reference
  int worst = 0;              // body with the largest difference
  double3 worst_expected{};
};

template <typename Vector = float3>  // or double3
Accuracy accuracy(const std::vector<float4>& bodies, const std::vector<Vector>& accelerations,
                  float softening, Space space = Space::kOpen) {
  Accuracy result;
  double difference = 0, norm = 0, largest = -1;
  for (const int i : bodies_to_compare(static_cast<int>(bodies.size()))) {
    const double3 expected = reference_acceleration(bodies, i, softening, space);
    const Vector got = accelerations[i];
    const double dx = got.x - expected.x, dy = got.y - expected.y, dz = got.z - expected.z;
    const double squared = dx * dx + dy * dy + dz * dz;
    difference += squared;
    norm += expected.x * expected.x + expected.y * expected.y + expected.z * expected.z;
    if (!(squared <= largest)) {  // NaN is the worst
      largest = std::isnan(squared) ? INFINITY : squared;
      result.worst = i;
      result.worst_expected = expected;
    }
    result.compared++;
  }
  result.relative_error = difference == 0 ? 0 : std::sqrt(difference / norm);
  return result;
}

// The largest error that is accepted. Every interaction is exact to a few units in the last place
// of float. The rounding errors of n additions are random and grow with the root of n.
inline double error_bound(int n) { return 1e-5 * std::max(1.0, std::sqrt(n / 65536.0)); }

// In double precision, the last place is 2^29 times smaller. The reference is as exact as that.
constexpr double kDoubleBound = 1e-13;

// Compares, and prints to stderr what is wrong, if anything.
template <typename Vector = float3>  // or double3
bool verify_accelerations(const std::string& what, const std::vector<float4>& bodies,
                          const std::vector<Vector>& accelerations, float softening,
                          Accuracy* outcome = nullptr, Space space = Space::kOpen) {
  const Accuracy result = accuracy(bodies, accelerations, softening, space);
  if (outcome != nullptr) *outcome = result;
  const bool is_double = sizeof(Vector) == sizeof(double3);
  const double bound = is_double ? kDoubleBound : error_bound(static_cast<int>(bodies.size()));
  if (result.relative_error <= bound) return true;  // false for NaN
  const Vector got = accelerations[result.worst];
  fflush(stdout);
  fprintf(stderr,
          "%s: the accelerations have a relative error of %.2g, above %.2g; the worst is body %d: "
          "got (%.9g, %.9g, %.9g), expected (%.9g, %.9g, %.9g)\n",
          what.c_str(), result.relative_error, bound, result.worst, got.x, got.y, got.z,
          result.worst_expected.x, result.worst_expected.y, result.worst_expected.z);
  return false;
}

// What gravity conserves.
struct Conserved {
  double energy = 0;  // kinetic and potential
  double3 momentum{};
  double speed_scale = 0;  // sum of mass * speed, to compare the momentum with
};

constexpr int kMostForEnergy = 20000;  // the potential energy is n^2 work on the host

// For positions with the mass as w, in either precision. With more than kMostForEnergy bodies, the
// energy is NaN.
template <typename Position, typename Velocity>
Conserved conserved(const std::vector<Position>& positions, const std::vector<Velocity>& velocities,
                    float softening, Space space = Space::kOpen) {
  Conserved result;
  const double softening_squared = nbody::softening_squared(softening);
  const int n = static_cast<int>(positions.size());
  double kinetic = 0, potential = 0;
  for (int i = 0; i < n; i++) {
    const Position p = positions[i];
    const Velocity v = velocities[i];
    const double speed_squared =
        1.0 * v.x * v.x + static_cast<double>(v.y) * v.y + static_cast<double>(v.z) * v.z;
    kinetic += 0.5 * p.w * speed_squared;
    result.momentum.x += static_cast<double>(p.w) * v.x;
    result.momentum.y += static_cast<double>(p.w) * v.y;
    result.momentum.z += static_cast<double>(p.w) * v.z;
    result.speed_scale += p.w * std::sqrt(speed_squared);
    for (int j = i + 1; j < n && n <= kMostForEnergy; j++) {
      const Position q = positions[j];
      const double dx = distance(p.x, q.x, space), dy = distance(p.y, q.y, space),
                   dz = distance(p.z, q.z, space);
      potential -= static_cast<double>(p.w) * q.w /
                   std::sqrt(dx * dx + dy * dy + dz * dz + softening_squared);
    }
  }
  result.energy = n <= kMostForEnergy ? kinetic + potential : NAN;
  return result;
}
inline Conserved conserved(const Bodies& bodies, float softening, Space space = Space::kOpen) {
  return conserved(bodies.positions, bodies.velocities, softening, space);
}

}  // namespace nbody
