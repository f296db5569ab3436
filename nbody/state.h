// Bodies on the host, and what all functions that make bodies need.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <string>
#include <vector>

#include "../common/program/random.h"

namespace nbody {

constexpr long long kMostBodies = 1000000000;

// What a body is part of, to draw each group in its own color.
enum Origin : unsigned char {
  kStar,
  kOtherStar,  // of the second galaxy
  kBulge,
  kOtherBulge,
  kHalo,
  kSun,
  kPlanet,
  kOrigins  // how many there are
};

struct Bodies {
  std::vector<float4> positions;     // x, y, z, mass
  std::vector<float3> velocities;    // as many
  std::vector<Origin> origins = {};  // as many as were added

  int count() const { return static_cast<int>(positions.size()); }
  void add(float mass, double x, double y, double z, double vx, double vy, double vz,
           Origin origin = kStar) {
    positions.push_back(
        make_float4(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), mass));
    velocities.push_back(
        make_float3(static_cast<float>(vx), static_cast<float>(vy), static_cast<float>(vz)));
    origins.push_back(origin);
  }
};

// "1 body", "2 bodies".
inline std::string bodies_in_words(int count) {
  return std::to_string(count) + (count == 1 ? " body" : " bodies");
}

namespace bodies_detail {

struct Vector {
  double x, y, z;
};

// A direction, evenly distributed over the sphere, times `length`.
inline Vector random_direction(course::Random& random, double length) {
  const double z = 2.0 * random.uniform() - 1.0;
  const double angle = 2 * M_PI * random.uniform();
  const double across = std::sqrt(1 - z * z);
  return {length * across * std::cos(angle), length * across * std::sin(angle), length * z};
}

// Moves everything so that the center of mass is at rest at the origin.
inline void center(Bodies& bodies) {
  double mass = 0;
  Vector position{0, 0, 0}, velocity{0, 0, 0};
  for (int i = 0; i < bodies.count(); i++) {
    const float4 p = bodies.positions[i];
    const float3 v = bodies.velocities[i];
    mass += p.w;
    position = {position.x + p.w * p.x, position.y + p.w * p.y, position.z + p.w * p.z};
    velocity = {velocity.x + p.w * v.x, velocity.y + p.w * v.y, velocity.z + p.w * v.z};
  }
  if (mass == 0) return;
  for (float4& p : bodies.positions) {
    p.x -= static_cast<float>(position.x / mass);
    p.y -= static_cast<float>(position.y / mass);
    p.z -= static_cast<float>(position.z / mass);
  }
  for (float3& v : bodies.velocities) {
    v.x -= static_cast<float>(velocity.x / mass);
    v.y -= static_cast<float>(velocity.y / mass);
    v.z -= static_cast<float>(velocity.z / mass);
  }
}

}  // namespace bodies_detail

}  // namespace nbody
