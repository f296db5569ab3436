// Where bodies start: what is known of each from elsewhere, and that it stays as it should.

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../../../nbody/gravity_periodic.h"
#include "../../../nbody/gravity_registers.h"
#include "../../../nbody/program.h"
#include "nbody_check.h"

using nbody::Bodies;
using nbody::Conserved;
using nbody::Origin;
using nbody::Settings;
using nbody::Simulation;
using nbody::Space;

namespace {

double length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }
double radius(const Bodies& bodies, int i) {
  const float4 p = bodies.positions[i];
  return length(p.x, p.y, p.z);
}

// The median distance from the origin of the bodies of one kind.
double median_radius(const Bodies& bodies, const std::vector<Origin>& origins, Origin origin) {
  std::vector<double> radii;
  for (int i = 0; i < bodies.count(); i++)
    if (origins[i] == origin) radii.push_back(radius(bodies, i));
  std::nth_element(radii.begin(), radii.begin() + radii.size() / 2, radii.end());
  return radii[radii.size() / 2];
}

double total_mass(const Bodies& bodies) {
  double mass = 0;
  for (const float4 p : bodies.positions) mass += p.w;
  return mass;
}

// How far the center of mass is from the origin, times the mass.
double off_center(const Bodies& bodies) {
  double x = 0, y = 0, z = 0;
  for (const float4 p : bodies.positions) {
    x += double(p.w) * p.x;
    y += double(p.w) * p.y;
    z += double(p.w) * p.z;
  }
  return length(x, y, z);
}

double momentum(const Conserved& sum) {
  return length(sum.momentum.x, sum.momentum.y, sum.momentum.z);
}

// Hernquist's: the mass within r, of that within the edge.
double hernquist_share(double r, double scale, double edge) {
  return std::pow(r / (r + scale) * (edge + scale) / edge, 2);
}

}  // namespace

TEST_CASE("every start: any number of bodies, mass 1, at rest as a whole") {
  for (const char* initial :
       {"cube", "plummer", "collapse", "galaxy", "galaxies", "planets", "box"})
    for (const int n : {0, 1, 2, 3, 9, 10, 11, 19, 25, 1000}) {
      CAPTURE(initial);
      CAPTURE(n);
      nbody::Start start;
      start.initial = initial;
      start.size = n;
      const Bodies bodies = start.make();
      REQUIRE(bodies.count() == n);
      REQUIRE(bodies.velocities.size() == static_cast<size_t>(n));
      REQUIRE(bodies.origins.size() == static_cast<size_t>(n));
      if (n == 0) continue;
      for (int i = 0; i < n; i++) {
        const float3 v = bodies.velocities[i];
        CHECK((std::isfinite(radius(bodies, i)) && std::isfinite(v.x + v.y + v.z)));
        CHECK(bodies.positions[i].w > 0);
      }
      const bool one_galaxy = n == 1 && start.initial == "galaxies";
      CHECK(total_mass(bodies) == doctest::Approx(one_galaxy ? 0.5 : 1).epsilon(1e-4));
      CHECK(momentum(nbody::conserved(bodies, 0.05f)) < 1e-5);
      const bool centered = start.initial == "plummer" || start.initial == "planets" ||
                            start.initial.rfind("galax", 0) == 0;
      if (centered) CHECK(off_center(bodies) < 1e-5);
      start.seed = 2;
      if (n > 2) CHECK(start.make().positions[n - 1].x != bodies.positions[n - 1].x);
    }
}

TEST_CASE("every start conserves energy and momentum") {
  struct Case {
    const char* initial;
    float dt, softening;
  };
  for (const Case& one :
       {Case{"cube", 0.01f, 0.05f}, Case{"plummer", 0.01f, 0.05f}, Case{"collapse", 0.005f, 0.05f},
        Case{"galaxy", 0.01f, 0.05f}, Case{"galaxies", 0.01f, 0.05f},
        Case{"planets", 0.002f, 0.002f}, Case{"box", 0.005f, 0.05f}}) {
    CAPTURE(one.initial);
    const bool box = std::string(one.initial) == "box";
    const Space space = box ? Space::kBox : Space::kOpen;
    nbody::Start start;
    start.initial = one.initial;
    start.size = 400;
    Settings settings;
    settings.dt = one.dt;
    settings.softening = start.softening = one.softening;
    const Bodies bodies = start.make();
    const Conserved before = nbody::conserved(bodies, one.softening, space);
    Simulation simulation(bodies, box ? nbody::kPeriodic : nbody::kRegisters, settings);
    simulation.step(100);
    const Bodies moved = simulation.bodies();
    const Conserved after = nbody::conserved(moved, one.softening, space);
    CHECK(moved.positions[7].x != bodies.positions[7].x);
    // In the box the pull of a body jumps where another image becomes the nearest one.
    CHECK(std::fabs(after.energy / before.energy - 1) < (box ? 5e-3 : 1e-3));
    CHECK(momentum(after) < 1e-5);
  }
}

TEST_CASE("a cold ball: energy -3/5, evenly filled, falls together in 1.11") {
  const Bodies ball = nbody::cold_ball(4000, 1);
  CHECK(nbody::conserved(ball, 0).energy == doctest::Approx(-0.6).epsilon(0.02));
  int within_half = 0;
  for (int i = 0; i < 4000; i++) {
    REQUIRE(radius(ball, i) <= 1.00001);
    within_half += radius(ball, i) < 0.5;
    REQUIRE(ball.velocities[i].x == 0);
  }
  CHECK(std::abs(within_half - 500) < 105);  // 5 deviations
  Settings settings;
  settings.dt = 0.01f;
  Simulation simulation(nbody::cold_ball(1000, 1), nbody::kRegisters, settings);
  const std::vector<Origin> stars(1000, nbody::kStar);
  // When it has fallen to half its size, pi/4 + 1/2 parts of pi/2 of the time are over.
  const double until_half = 1.1107 * (M_PI / 4 + 0.5) / (M_PI / 2);
  const double first = median_radius(ball, std::vector<Origin>(4000, nbody::kStar), nbody::kStar);
  simulation.step(static_cast<int>(until_half / 0.01 + 0.5));
  CHECK(median_radius(simulation.bodies(), stars, nbody::kStar) ==
        doctest::Approx(first / 2).epsilon(0.1));
  simulation.step(111 - static_cast<int>(until_half / 0.01 + 0.5));
  CHECK(median_radius(simulation.bodies(), stars, nbody::kStar) < 0.4 * first);
}

TEST_CASE("a galaxy: disc, bulge and halo have the mass that they should within any radius") {
  const int n = 20000;
  const Bodies galaxy = nbody::galaxy(n, 3, 0.05);
  struct Part {
    Origin origin;
    double mass;
    int count;
  };
  for (const Part& part : {Part{nbody::kStar, 0.2, n / 2}, Part{nbody::kBulge, 0.1, n / 10},
                           Part{nbody::kHalo, 0.7, n - n / 2 - n / 10}}) {
    CAPTURE(int{part.origin});
    CHECK(std::count(galaxy.origins.begin(), galaxy.origins.end(), part.origin) == part.count);
    double mass = 0;
    for (int i = 0; i < n; i++)
      if (galaxy.origins[i] == part.origin) mass += galaxy.positions[i].w;
    CHECK(mass == doctest::Approx(part.mass).epsilon(1e-4));
    for (const double r : {0.3, 1.0, 2.0}) {  // in lengths of the disc's scale
      CAPTURE(r);
      double expected = (1 - (1 + r) * std::exp(-r)) / (1 - 6 * std::exp(-5));
      if (part.origin == nbody::kBulge) expected = hernquist_share(r, 0.3, 3);
      if (part.origin == nbody::kHalo) expected = hernquist_share(r, 3, 12);
      int within = 0;
      for (int i = 0; i < n; i++) {
        const float4 p = galaxy.positions[i];
        const double flat = std::hypot(p.x, p.y) / 0.3, round = radius(galaxy, i) / 0.3;
        within +=
            galaxy.origins[i] == part.origin && (part.origin == nbody::kStar ? flat : round) < r;
      }
      CHECK(std::fabs(static_cast<double>(within) / part.count - expected) < 0.01);
    }
  }
  // The disc lies flat and turns one way; bulge and halo do not turn.
  double height_squared = 0, turning = 0, others = 0;
  for (int i = 0; i < n; i++) {
    const float4 p = galaxy.positions[i];
    const float3 v = galaxy.velocities[i];
    const bool disc = galaxy.origins[i] == nbody::kStar;
    if (disc) height_squared += std::pow(p.z / 0.3, 2) / (n / 2);
    (disc ? turning : others) += 1.0 * p.w * (1.0 * p.x * v.y - 1.0 * p.y * v.x);
  }
  CHECK(std::sqrt(height_squared) == doctest::Approx(0.15 * M_PI / std::sqrt(12)).epsilon(0.05));
  CHECK(turning > 0.05);
  CHECK(std::fabs(others) < 0.1 * turning);
}

TEST_CASE("a galaxy: its model's pull is that of the bodies, and it is in equilibrium") {
  const int n = 20000;
  const float softening = 0.05f;
  Bodies galaxy = nbody::galaxy(n, 1, softening);
  const nbody::GalaxyModel model(softening / 0.3);
  for (const double r : {0.15, 0.3, 0.6, 1.2}) {
    CAPTURE(r);
    double pull = 0;  // the mean over a circle
    for (int k = 0; k < 32; k++) {
      const double angle = 2 * M_PI * k / 32;
      Bodies probe = galaxy;
      probe.add(0, r * std::cos(angle), r * std::sin(angle), 0, 0, 0, 0);
      const double3 a = nbody::reference_acceleration(probe.positions, n, softening);
      pull -= (a.x * std::cos(angle) + a.y * std::sin(angle)) / 32;
    }
    CHECK(model.circle_squared(r / 0.3) / 0.3 == doctest::Approx(pull * r).epsilon(0.04));
  }
  // Twice the kinetic energy is what the pulls hold together.
  const Bodies small = nbody::galaxy(4000, 2, softening);
  double twice_kinetic = 0, held = 0;
  for (int i = 0; i < 4000; i++) {
    const float4 p = small.positions[i];
    const float3 v = small.velocities[i];
    const double3 a = nbody::reference_acceleration(small.positions, i, softening);
    twice_kinetic += p.w * (1.0 * v.x * v.x + 1.0 * v.y * v.y + 1.0 * v.z * v.z);
    held -= p.w * (p.x * a.x + p.y * a.y + p.z * a.z);
  }
  CHECK(twice_kinetic == doctest::Approx(held).epsilon(0.04));
}

TEST_CASE("a galaxy: who flees from a radius needs the speed that shells of its mass ask for") {
  const nbody::GalaxyModel model(0.01);
  const auto mass_within = [](double r) {
    const double disc = (1 - (1 + r) * std::exp(-r)) / (1 - 6 * std::exp(-5));
    return 0.2 * (r < 5 ? disc : 1) + 0.1 * (r < 3 ? hernquist_share(r, 0.3, 3) : 1) +
           0.7 * hernquist_share(r, 3, 12);
  };
  for (const double r : {0.5, 1.0, 3.0, 8.0, 12.0}) {
    CAPTURE(r);
    double depth = mass_within(r) / r;  // what is within pulls as from the center
    constexpr double kWidth = 0.001;
    for (double x = r; x < 12; x += kWidth)
      depth += (mass_within(x + kWidth) - mass_within(x)) / (x + kWidth / 2);
    CHECK(model.escape_squared(r) == doctest::Approx(2 * depth).epsilon(0.01));
  }
}

TEST_CASE(
    "a galaxy: its disc is warm enough for Toomre's criterion, with the density that it has") {
  const nbody::GalaxyModel model(0.05 / 0.3);
  for (const double r : {1.5, 2.0, 3.0}) {
    CAPTURE(r);
    const double width = 0.01, low = r - width / 2, high = r + width / 2;
    const auto within = [](double x) {
      return 0.2 * (1 - (1 + x) * std::exp(-x)) / (1 - 6 * std::exp(-5));
    };
    const double surface = (within(high) - within(low)) / (M_PI * (high * high - low * low));
    // How fast the angular momentum of a circle, r v, grows outwards makes the frequency of
    // epicycles.
    const auto momentum_of_circle = [&](double x) {
      return x * std::sqrt(model.circle_squared(x));
    };
    const double step = 0.05;
    const double kappa_squared = 2 * momentum_of_circle(r) / (r * r * r) *
                                 (momentum_of_circle(r + step) - momentum_of_circle(r - step)) /
                                 (2 * step);
    const double toomre = model.disc_motion(r).radial * std::sqrt(kappa_squared) / (3.36 * surface);
    CHECK(toomre == doctest::Approx(1.5).epsilon(0.05));
  }
}

TEST_CASE("a galaxy alone keeps its radius for three turns" * doctest::test_suite("long")) {
  const int n = 4096;
  const Bodies galaxy = nbody::galaxy(n, 2, 0.05);
  const double start = median_radius(galaxy, galaxy.origins, nbody::kStar);
  CHECK(start == doctest::Approx(0.486).epsilon(0.02));
  const nbody::GalaxyModel model(0.05 / 0.3);
  const double speed = std::sqrt(model.circle_squared(start / 0.3) / 0.3);
  const double turn = 2 * M_PI * start / speed;
  CHECK(turn == doctest::Approx(3.73).epsilon(0.03));
  Settings settings;
  settings.dt = 0.04f;
  Simulation simulation(galaxy, nbody::kRegisters, settings);
  const int steps_per_turn = static_cast<int>(turn / settings.dt + 0.5);
  simulation.step(2 * steps_per_turn);
  double mean = 0;  // over the third turn: it swings by a few percent
  for (int part = 0; part < 8; part++) {
    simulation.step((part + 1) * steps_per_turn / 8 - part * steps_per_turn / 8);
    mean += median_radius(simulation.bodies(), galaxy.origins, nbody::kStar) / 8;
  }
  MESSAGE("the median radius of the disc is ", mean / start, " of what it was");
  CHECK(std::fabs(mean / start - 1) < 0.05);
}

TEST_CASE("two galaxies: halves that fall towards each other, as if from far away") {
  const int n = 4000;
  const Bodies both = nbody::colliding_galaxies(n, 1, 0.05);
  double mass = 0, x[2] = {}, speed[2] = {};
  for (int i = 0; i < n; i++) {
    const bool second = i >= n / 2;
    const float4 p = both.positions[i];
    x[second] += p.w * p.x / 0.5;
    speed[second] += p.w * both.velocities[i].x / 0.5;
    if (!second) mass += p.w;
    if (both.origins[i] != nbody::kHalo)
      CHECK((both.origins[i] == nbody::kOtherStar || both.origins[i] == nbody::kOtherBulge) ==
            second);
  }
  CHECK(mass == doctest::Approx(0.5).epsilon(1e-4));
  CHECK(x[0] == doctest::Approx(-1.5).epsilon(0.02));
  CHECK(x[1] == doctest::Approx(1.5).epsilon(0.02));
  CHECK(speed[0] > 0.3);
  CHECK(speed[1] < -0.3);
  // A galaxy of mass m and the same size has m^2 times the energy; of two points on a parabola it
  // is 0. Theirs is a little more, because their halos reach into each other and pull less.
  const double alone = nbody::conserved(nbody::galaxy(n / 2, 1, 0.05), 0.05f).energy;
  const double together = nbody::conserved(both, 0.05f).energy;
  CHECK(together == doctest::Approx(2 * 0.25 * alone).epsilon(0.1));
}

TEST_CASE("planets: their ellipses, energies, and a year") {
  const Bodies planets = nbody::planet_system(600, 1);
  const double axes[] = {0.2, 0.3, 0.42, 0.58, 1.1, 1.5, 2.0, 2.6};
  const double masses[] = {1e-6, 5e-6, 6e-6, 2e-6, 9e-4, 3e-4, 5e-5, 6e-5};
  const float4 sun = planets.positions[0];
  const float3 sun_velocity = planets.velocities[0];
  double energies = 0;
  for (int i = 1; i < 600; i++) {
    const float4 p = planets.positions[i];
    const float3 v = planets.velocities[i];
    const double r = length(p.x - sun.x, p.y - sun.y, p.z - sun.z);
    const double speed = length(v.x - sun_velocity.x, v.y - sun_velocity.y, v.z - sun_velocity.z);
    const double axis = 1 / (2 / r - speed * speed);  // vis viva, around a mass of 1
    if (i <= 8) {
      CHECK(axis == doctest::Approx(axes[i - 1]).epsilon(1e-3));
      CHECK(p.w == doctest::Approx(masses[i - 1]));
      CHECK(planets.origins[i] == nbody::kPlanet);
    } else {
      CHECK(((axis > 0.699 && axis < 0.901) || (axis > 2.999 && axis < 4.001)));
      CHECK(p.w == doctest::Approx(1e-5 / 591));
    }
    energies -= p.w / (2 * axis);
  }
  CHECK(sun.w == doctest::Approx(1 - 1.334e-3).epsilon(1e-6));
  // But for what they pull at each other.
  CHECK(nbody::conserved(planets, 0).energy == doctest::Approx(energies).epsilon(5e-3));

  // The second one is back after its year.
  Settings settings;
  settings.dt = static_cast<float>(2 * M_PI * std::pow(0.3, 1.5) / 400);
  settings.softening = 1e-4f;
  Simulation simulation(planets, nbody::kRegisters, settings);
  simulation.step(200);
  const Bodies half = simulation.bodies();
  CHECK(length(half.positions[2].x - planets.positions[2].x,
               half.positions[2].y - planets.positions[2].y, 0) > 0.55);
  simulation.step(200);
  const Bodies year = simulation.bodies();
  CHECK(length(year.positions[2].x - planets.positions[2].x,
               year.positions[2].y - planets.positions[2].y,
               year.positions[2].z - planets.positions[2].z) < 0.01);
}

TEST_CASE("the box: evenly filled, its energy, and who pulls through its walls") {
  const int n = 4000;
  const Bodies box = nbody::periodic_box(n, 1);
  for (const float4 p : box.positions)
    REQUIRE((std::fabs(p.x) <= 0.5f && std::fabs(p.y) <= 0.5f && std::fabs(p.z) <= 0.5f));
  // The mean of 1 / distance over a cube around a point: the sum over small cubes.
  const int cells = 60;
  double mean = 0;
  for (int x = 0; x < cells; x++)
    for (int y = 0; y < cells; y++)
      for (int z = 0; z < cells; z++)
        mean +=
            1 / length((x + 0.5) / cells - 0.5, (y + 0.5) / cells - 0.5, (z + 0.5) / cells - 0.5);
  mean /= cells * cells * cells;
  CHECK(nbody::conserved(box, 0, Space::kBox).energy ==
        doctest::Approx(-0.5 * mean * (n - 1) / n).epsilon(0.01));

  // 0.9 apart inside, 0.1 apart through the wall, and the same from a box further on.
  for (const float elsewhere : {0.0f, 3.0f}) {
    Bodies two;
    two.add(2, -0.45, 0.1, 0.2, 0, 0, 0);
    two.add(3, 0.45 + elsewhere, 0.1 - elsewhere, 0.2, 0, 0, 0);
    const std::vector<float3> pull = nbody::accelerations(nbody::kPeriodic, two, 0);
    CHECK(pull[0].x == doctest::Approx(-300).epsilon(1e-4));
    CHECK(pull[1].x == doctest::Approx(200).epsilon(1e-4));
    CHECK(std::fabs(pull[0].y) < 0.01);
    CHECK(nbody::conserved(two, 0, Space::kBox).energy == doctest::Approx(-60).epsilon(1e-4));
  }
  for (const int some : {0, 1, 2, 31, 257, 1000})
    for (const int threads : {1, 32, 96, 256}) {
      Bodies bodies = nbody::random_bodies(some);  // far outside, too
      const std::vector<float3> pulls =
          nbody::accelerations(nbody::kPeriodic, bodies, 0.05f, threads);
      CHECK(nbody::accuracy(bodies.positions, pulls, 0.05f, Space::kBox).relative_error < 1e-4);
      if (some > 2) CHECK(nbody::accuracy(bodies.positions, pulls, 0.05f).relative_error > 0.1);
    }
}
