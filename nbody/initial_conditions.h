// Initial systems of bodies.
//
// Units: the constant of gravity is 1. All conditions made here have a total mass of 1.
#pragma once

#include <cmath>
#include <vector>

#include "../common/program/random.h"
#include "galaxies.h"
#include "state.h"

namespace nbody {

// Evenly distributed in a cube from -1 to 1, at rest.
inline Bodies uniform_cube(int count, int seed) {
  course::Random random(seed);
  Bodies bodies;
  for (int i = 0; i < count; i++) {
    const float x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    bodies.add(1.0f / static_cast<float>(count), x, y, z, 0, 0, 0);
  }
  return bodies;
}

// A Plummer sphere in equilibrium, as made by Aarseth, Henon and Wielen (Astronomy and Astrophysics
// 37, 1974), in the usual units of N-body: mass 1, energy -1/4. Half of the mass is within 0.77.
inline Bodies plummer_sphere(int count, int seed) {
  using bodies_detail::Vector;
  course::Random random(seed);
  const double scale = 3 * M_PI / 16;
  Bodies bodies;
  while (bodies.count() < count) {
    // The share of the mass within radius r (in units of the scale) is (1 + 1 / r^2)^(-3/2).
    const double share = random.uniform();
    if (share == 0) continue;
    const double radius = 1 / std::sqrt(std::pow(share, -2.0 / 3) - 1);
    if (!(radius < 10)) continue;  // 1 body in 70 would be further out
    // The speed is a fraction q of the escape speed, with the density q^2 (1 - q^2)^(7/2) < 0.1.
    double q, density;
    do {
      q = random.uniform();
      density = 0.1 * random.uniform();
    } while (density > q * q * std::pow(1 - q * q, 3.5));
    const double speed = q * std::sqrt(2 / std::sqrt(1 + radius * radius));
    const Vector position = bodies_detail::random_direction(random, radius * scale);
    const Vector velocity = bodies_detail::random_direction(random, speed / std::sqrt(scale));
    bodies.add(1.0f / static_cast<float>(count), position.x, position.y, position.z, velocity.x,
               velocity.y, velocity.z);
  }
  bodies_detail::center(bodies);
  return bodies;
}

// A ball of radius 1, evenly filled, at rest. It collapses in a time of 1.11 and becomes a cluster.
// Its energy is -3/5.
inline Bodies cold_ball(int count, int seed) {
  course::Random random(seed);
  Bodies bodies;
  for (int i = 0; i < count; i++) {
    const bodies_detail::Vector p =
        bodies_detail::random_direction(random, std::cbrt(random.uniform()));
    bodies.add(1.0f / static_cast<float>(count), p.x, p.y, p.z, 0, 0, 0);
  }
  return bodies;
}

// An endless box with sides of 1, from -1/2 to 1/2, evenly filled, at rest. It needs periodic
// gravity: see gravity_periodic.h.
inline Bodies periodic_box(int count, int seed) {
  Bodies bodies = uniform_cube(count, seed);
  for (float4& p : bodies.positions) {
    p.x *= 0.5f;
    p.y *= 0.5f;
    p.z *= 0.5f;
  }
  return bodies;
}

// Two bodies, three quarters and one quarter of the mass, on ellipses of eccentricity 1/2. They
// start where they are closest, at distance 1/2 along x. Half the long axis of their relative orbit
// is 1, so a turn takes 2 pi.
constexpr double kOrbitPeriod = 2 * M_PI;
inline Bodies two_body_orbit() {
  const double distance = 0.5, speed = std::sqrt(3.0);  // v^2 = 2 / r - 1 / a
  Bodies bodies;
  bodies.add(0.75f, -0.25 * distance, 0, 0, 0, -0.25 * speed, 0);
  bodies.add(0.25f, 0.75 * distance, 0, 0, 0, 0.75 * speed, 0);
  return bodies;
}

namespace bodies_detail {

// Adds a body on an ellipse around `mass` at the origin: half the long axis, eccentricity, where
// the ellipse points to, how far the body is on it (the eccentric anomaly), and how far the ellipse
// is turned out of the plane around the x axis.
inline void add_orbiting(Bodies& bodies, double mass, float own_mass, double axis,
                         double eccentricity, double direction, double anomaly, double inclination,
                         Origin origin) {
  const double flat = std::sqrt(1 - eccentricity * eccentricity);
  const double c = std::cos(anomaly), s = std::sin(anomaly);
  const double x = axis * (c - eccentricity), y = axis * flat * s;
  const double rate = std::sqrt(mass / axis) / (1 - eccentricity * c);  // Kepler's equation
  const double vx = -rate * s, vy = rate * flat * c;
  const double cd = std::cos(direction), sd = std::sin(direction);
  const double ci = std::cos(inclination), si = std::sin(inclination);
  const double py = sd * x + cd * y, vpy = sd * vx + cd * vy;
  bodies.add(own_mass, cd * x - sd * y, ci * py, si * py, cd * vx - sd * vy, ci * vpy, si * vpy,
             origin);
}

}  // namespace bodies_detail

// A sun with eight planets, in a disc of small bodies between the fourth and the fifth and another
// one outside. Each moves on an ellipse around the sun as if it were alone with it.
inline Bodies planet_system(int count, int seed) {
  struct Planet {
    double axis, eccentricity;
    float mass;
  };
  constexpr Planet kPlanets[] = {{0.2, 0.2, 1e-6f},   {0.3, 0.02, 5e-6f}, {0.42, 0.02, 6e-6f},
                                 {0.58, 0.09, 2e-6f}, {1.1, 0.05, 9e-4f}, {1.5, 0.06, 3e-4f},
                                 {2.0, 0.05, 5e-5f},  {2.6, 0.01, 6e-5f}};
  constexpr int kPlanetCount = sizeof kPlanets / sizeof kPlanets[0];
  constexpr float kSmallBodies = 1e-5f;  // all together
  course::Random random(seed);
  Bodies bodies;
  if (count == 0) return bodies;
  bodies.add(1, 0, 0, 0, 0, 0, 0, kSun);
  double others = 0;  // their mass
  for (int i = 1; i < count; i++) {
    const bool planet = i <= kPlanetCount;
    const double anomaly = 2 * M_PI * random.uniform(), direction = 2 * M_PI * random.uniform();
    const double inclination = 0.04 * random.uniform(-1, 1);
    const double share = random.uniform();
    const double axis = planet ? kPlanets[i - 1].axis : i % 2 ? 0.7 + 0.2 * share : 3.0 + share;
    const double eccentricity = planet ? kPlanets[i - 1].eccentricity : 0.1 * random.uniform();
    const float mass =
        planet ? kPlanets[i - 1].mass
               : kSmallBodies / static_cast<float>(std::max(1, count - 1 - kPlanetCount));
    others += mass;
    bodies_detail::add_orbiting(bodies, 1, mass, axis, eccentricity, direction, anomaly,
                                inclination,
                                planet  ? kPlanet
                                : i % 2 ? kBulge
                                        : kOtherStar);
  }
  bodies.positions[0].w = static_cast<float>(1 - others);
  bodies_detail::center(bodies);
  return bodies;
}

}  // namespace nbody
