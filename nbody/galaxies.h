// A galaxy in equilibrium: a disc of stars that orbit the mass inside their orbits, with some
// random motion, and a bulge and a halo without rotation. Also two such galaxies that fall
// together.
//
// The recipe is the usual one (Hernquist, Astrophysical Journal Supplement 86, 1993): positions
// come from the densities, and velocity dispersions from the equilibrium of each part. The forces
// are those of the softened law in body.h. Otherwise softening would disturb the equilibrium.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../common/program/random.h"
#include "state.h"

namespace nbody {

// A galaxy of mass 1, in lengths of the disc's scale: its surface density falls as exp(-radius).
// The constant of gravity is 1. Bulge and halo have Hernquist's density, 1 / (r (r + scale)^3).
class GalaxyModel {
 public:
  static constexpr double kDiscMass = 0.2, kBulgeMass = 0.1, kHaloMass = 0.7;
  static constexpr double kDiscEdge = 5, kDiscHeight = 0.15;
  static constexpr double kBulgeScale = 0.3, kBulgeEdge = 3, kHaloScale = 3, kHaloEdge = 12;

  explicit GalaxyModel(double softening) : softening_squared_(softening * softening) {
    // Bulge, halo, and the disc as if it were a sphere, cut into shells.
    std::vector<double> round(kSteps), disc(kSteps);
    for (int k = 0; k < kSteps; k++) {
      const double inner = k * kStep, outer = inner + kStep;
      round[k] = kBulgeMass * (bulge_share(outer) - bulge_share(inner)) +
                 kHaloMass * (halo_share(outer) - halo_share(inner));
      disc[k] = kDiscMass * (disc_share(outer) - disc_share(inner));
    }
    for (int k = 0; k <= kSteps; k++) {
      round_pull_.push_back(pull_of_shells(round, k * kStep));
      flat_pull_.push_back(k * kStep < 1.5 * kDiscEdge ? pull_of_rings(k * kStep) : 0);
      mean_pull_.push_back(round_pull_[k] + pull_of_shells(disc, k * kStep));
    }
    // From the edge to the center: the potential, and the weight of everything further out.
    depth_.assign(kSteps + 1, 1 / kHaloEdge);
    bulge_weight_.assign(kSteps + 1, 0);
    halo_weight_.assign(kSteps + 1, 0);
    for (int k = kSteps - 1; k >= 0; k--) {
      const double r = (k + 0.5) * kStep, fall = kStep * (mean_pull_[k] + mean_pull_[k + 1]) / 2;
      depth_[k] = depth_[k + 1] + fall;
      halo_weight_[k] = halo_weight_[k + 1] + fall * density(r, kHaloScale);
      bulge_weight_[k] =
          bulge_weight_[k + 1] + (r < kBulgeEdge ? fall * density(r, kBulgeScale) : 0);
    }
  }

  // Shares of a part's mass within a radius.
  static double disc_share(double r) {
    const auto share = [](double x) { return 1 - (1 + x) * std::exp(-x); };
    return share(std::min(r, kDiscEdge)) / share(kDiscEdge);
  }
  static double bulge_share(double r) { return round_share(r, kBulgeScale, kBulgeEdge); }
  static double halo_share(double r) { return round_share(r, kHaloScale, kHaloEdge); }

  // The square of the speed on a circle in the plane of the disc, and that of the escape speed.
  double circle_squared(double r) const { return r * (at(round_pull_, r) + at(flat_pull_, r)); }
  double escape_squared(double r) const { return 2 * at(depth_, r); }

  // The spread of velocities along any direction, squared, that carries bulge and halo.
  double bulge_spread_squared(double r) const {
    return at(bulge_weight_, r) / density(r, kBulgeScale);
  }
  double halo_spread_squared(double r) const {
    return at(halo_weight_, r) / density(r, kHaloScale);
  }

  // How the disc's stars move: a mean speed around the center, and the spreads along the radius,
  // across it and out of the plane.
  struct DiscMotion {
    double around, radial, across, vertical;
  };
  DiscMotion disc_motion(double radius) const {
    const double step = kStep, r = std::max(radius, 2 * step);
    // The squares of the frequencies of a star's orbit: around the center, and in and out.
    const auto around_squared = [&](double x) { return circle_squared(x) / (x * x); };
    const double omega_squared = around_squared(r);
    const double slope = (around_squared(r + step) - around_squared(r - step)) / (2 * step);
    const double kappa_squared = std::max(r * slope + 4 * omega_squared, omega_squared);
    const double ratio = kappa_squared / (4 * omega_squared);
    // Toomre's criterion: with kWarmth below 1 the disc would break into lumps.
    const double surface = surface_density(r);
    const double radial = std::min(kWarmth * 3.36 * surface / std::sqrt(kappa_squared),
                                   0.5 * std::sqrt(circle_squared(r)));
    // Bodies with random motion need less rotation.
    const double around = std::max(0.0, circle_squared(r) + radial * radial * (1 - ratio - 2 * r));
    // Out of the plane, the disc pulls back (less if softened), and so do bulge and halo.
    const double height = kDiscHeight, from_center = std::hypot(r, 2 * height);
    const double self = M_PI * surface * height * height / (height + std::sqrt(softening_squared_));
    const double others =
        at(round_pull_, from_center) / from_center * M_PI * M_PI / 12 * height * height;
    return {std::sqrt(around), radial, radial * std::sqrt(ratio), std::sqrt(self + others)};
  }

 private:
  static constexpr double kStep = 0.05;  // of the tables
  static constexpr int kSteps = 240;     // out to the halo's edge
  static constexpr double kWarmth = 1.5;

  static double round_share(double r, double scale, double edge) {
    const auto share = [=](double x) { return x * x / ((x + scale) * (x + scale)); };
    return share(std::min(r, edge)) / share(edge);
  }
  static double density(double r, double scale) {  // up to a factor
    return 1 / (std::max(r, kStep / 2) * std::pow(r + scale, 3));
  }
  static double surface_density(double r) {
    if (r > kDiscEdge) return 0;
    return kDiscMass * std::exp(-r) / (2 * M_PI * (1 - (1 + kDiscEdge) * std::exp(-kDiscEdge)));
  }

  // The pull of shells of the given masses, softened: the slope of their potential, which is
  // (near - far) / (2 r radius).
  double pull_of_shells(const std::vector<double>& masses, double r) const {
    double pull = 0;
    if (r == 0) return pull;
    for (int k = 0; k < kSteps; k++) {
      const double radius = (k + 0.5) * kStep;
      const double far = std::sqrt((r + radius) * (r + radius) + softening_squared_);
      const double near = std::sqrt((r - radius) * (r - radius) + softening_squared_);
      pull += masses[k] / (2 * r * radius) *
              ((far - near) / r - (r + radius) / far + (r - radius) / near);
    }
    return pull;
  }

  // The pull of the disc in its plane, computed from rings of bodies. Its height acts as softening.
  double pull_of_rings(double r) const {
    constexpr int kRings = 100, kPlaces = 64;  // on half a ring
    const double softening_squared = softening_squared_ + 0.5 * kDiscHeight * kDiscHeight;
    const double width = kDiscEdge / kRings;
    double pull = 0;
    for (int ring = 0; ring < kRings; ring++) {
      const double radius = (ring + 0.5) * width;
      const double share = disc_share((ring + 1) * width) - disc_share(ring * width);
      for (int place = 0; place < kPlaces; place++) {
        const double inward = radius * std::cos(M_PI * (place + 0.5) / kPlaces);
        const double squared = r * r + radius * radius - 2 * r * inward + softening_squared;
        pull += kDiscMass * share / kPlaces * (r - inward) / (squared * std::sqrt(squared));
      }
    }
    return pull;
  }

  static double at(const std::vector<double>& table, double r) {
    const double place = std::min(r / kStep, kSteps - 0.001);
    const size_t k = static_cast<size_t>(place);
    return table[k] + (place - static_cast<double>(k)) * (table[k + 1] - table[k]);
  }

  double softening_squared_;
  std::vector<double> round_pull_, flat_pull_, mean_pull_, depth_, bulge_weight_, halo_weight_;
};

// Where a galaxy is, how it moves, and how its disc lies: tilted by `tilt` around the x axis.
struct GalaxyPlace {
  double mass, scale;  // of the galaxy; of the disc
  bodies_detail::Vector position, velocity;
  double tilt;
  Origin disc, bulge;  // what its bodies are; those of the halo are kHalo
};

namespace bodies_detail {

// Adds bodies in pairs with opposite positions and velocities. So the center of mass and the
// momentum are exactly 0.
class GalaxyMaker {
 public:
  GalaxyMaker(Bodies& bodies, const GalaxyModel& model, const GalaxyPlace& place,
              course::Random& random)
      : bodies_(bodies), model_(model), place_(place), random_(random) {}

  void add_disc(int count) {
    const double mass = GalaxyModel::kDiscMass / count;
    for (int i = 0; i < count; i += 2) {
      const double r = radius_of(even_share(i, count), GalaxyModel::disc_share);
      const GalaxyModel::DiscMotion motion = model_.disc_motion(r);
      const double height =
          GalaxyModel::kDiscHeight * std::atanh(0.999 * (2.0 * random_.uniform() - 1));
      const double angle = 2 * M_PI * random_.uniform(), c = std::cos(angle), s = std::sin(angle);
      const double out = motion.radial * normal(), up = motion.vertical * normal();
      const double around = motion.around + motion.across * normal();
      add_pair(i + 1 < count, mass, {r * c, r * s, height},
               {out * c - around * s, out * s + around * c, up}, place_.disc);
    }
  }

  void add_bulge(int count) {
    add_sphere(count, GalaxyModel::kBulgeMass, GalaxyModel::bulge_share, place_.bulge,
               [&](double r) { return model_.bulge_spread_squared(r); });
  }
  void add_halo(int count) {
    add_sphere(count, GalaxyModel::kHaloMass, GalaxyModel::halo_share, kHalo,
               [&](double r) { return model_.halo_spread_squared(r); });
  }

 private:
  // The speed is a part q of that of escape, with the density q^2 (1 - q^2)^p, as in a Plummer
  // sphere, where p is 7/2; here p follows from the spread: the mean of q^2 is 3 / (2 p + 5).
  template <typename Spread>
  void add_sphere(int count, double mass, double (*share)(double), Origin origin, Spread spread) {
    for (int i = 0; i < count; i += 2) {
      const double r = radius_of(even_share(i, count), share);
      const double escape_squared = model_.escape_squared(r);
      const double p = std::max(0.0, (escape_squared / spread(r) - 5) / 2);
      const double largest = std::pow(p / (1 + p), p) / (1 + p);
      double q, density;
      do {
        q = random_.uniform();
        density = largest * random_.uniform();
      } while (density > q * q * std::pow(1 - q * q, p));
      const Vector position = random_direction(random_, r);
      const Vector velocity = random_direction(random_, q * std::sqrt(escape_squared));
      add_pair(i + 1 < count, mass / count, position, velocity, origin);
    }
  }

  // Each pair has the next share of the mass, instead of a random one. That gives less noise.
  double even_share(int i, int count) {
    return std::min(1.0, (i + 2.0 * random_.uniform()) / count);
  }

  // The radius within which that share is.
  static double radius_of(double wanted, double (*share)(double)) {
    double low = 0.005, high = GalaxyModel::kHaloEdge;
    for (int i = 0; i < 40; i++) {
      const double middle = (low + high) / 2;
      (share(middle) < wanted ? low : high) = middle;
    }
    return low;
  }

  double normal() {  // by Box and Muller
    const double u = 1.0 - random_.uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * random_.uniform());
  }

  void add_pair(bool both, double mass, const Vector& position, const Vector& velocity,
                Origin origin) {
    add_one(mass, position, velocity, origin);
    if (both)
      add_one(mass, {-position.x, -position.y, -position.z},
              {-velocity.x, -velocity.y, -velocity.z}, origin);
  }
  void add_one(double mass, Vector p, Vector v, Origin origin) {
    const double speed = std::sqrt(place_.mass / place_.scale);
    p = tilted(p, place_.scale);
    v = tilted(v, speed);
    bodies_.add(static_cast<float>(place_.mass * mass), place_.position.x + p.x,
                place_.position.y + p.y, place_.position.z + p.z, place_.velocity.x + v.x,
                place_.velocity.y + v.y, place_.velocity.z + v.z, origin);
  }
  Vector tilted(const Vector& a, double factor) const {
    const double c = factor * std::cos(place_.tilt), s = factor * std::sin(place_.tilt);
    return {factor * a.x, c * a.y - s * a.z, s * a.y + c * a.z};
  }

  Bodies& bodies_;
  const GalaxyModel& model_;
  const GalaxyPlace& place_;
  course::Random& random_;
};

}  // namespace bodies_detail

// Adds `count` bodies: half of them stars of the disc, a tenth the bulge, the rest the halo, whose
// bodies are the heaviest. The mass does not depend on the number of bodies.
inline void add_galaxy(Bodies& bodies, int count, const GalaxyPlace& place, double softening,
                       course::Random& random) {
  if (count == 0) return;
  if (count < 10) {  // too few for three parts
    for (int i = 0; i < count; i++) {
      const bodies_detail::Vector p =
          bodies_detail::random_direction(random, count > 1 ? place.scale : 0);
      bodies.add(static_cast<float>(place.mass / count), place.position.x + p.x,
                 place.position.y + p.y, place.position.z + p.z, place.velocity.x, place.velocity.y,
                 place.velocity.z, place.disc);
    }
    return;
  }
  const GalaxyModel model(softening / place.scale);
  bodies_detail::GalaxyMaker maker(bodies, model, place, random);
  const int disc = count / 2, bulge = count / 10;
  maker.add_disc(disc);
  maker.add_bulge(bulge);
  maker.add_halo(count - disc - bulge);
}

// One galaxy, alone. Half of the disc's stars are within 0.49, where a turn takes 3.7.
constexpr double kGalaxyScale = 0.3;
inline Bodies galaxy(int count, int seed, double softening) {
  course::Random random(seed);
  Bodies bodies;
  add_galaxy(bodies, count, {1, kGalaxyScale, {0, 0, 0}, {0, 0, 0}, 0, kStar, kBulge}, softening,
             random);
  bodies_detail::center(bodies);
  return bodies;
}

// Two galaxies of half the mass, 3 apart, differently tilted. As points, they would pass
// each other on a parabola, at a distance of 0.6. But their halos brake each other, so they return
// and merge.
inline Bodies colliding_galaxies(int count, int seed, double softening) {
  constexpr double kDistance = 3, kNearest = 0.6;
  const double speed_squared = 2 / kDistance;                 // just enough to escape
  const double across = std::sqrt(2 * kNearest) / kDistance;  // angular momentum / distance
  const double inward = std::sqrt(speed_squared - across * across);
  course::Random random(seed);
  Bodies bodies;
  const int second = count / 2;
  add_galaxy(
      bodies, count - second,
      {0.5, kGalaxyScale, {-kDistance / 2, 0, 0}, {inward / 2, -across / 2, 0}, 0.4, kStar, kBulge},
      softening, random);
  add_galaxy(bodies, second,
             {0.5,
              kGalaxyScale,
              {kDistance / 2, 0, 0},
              {-inward / 2, across / 2, 0},
              -1.0,
              kOtherStar,
              kOtherBulge},
             softening, random);
  bodies_detail::center(bodies);
  return bodies;
}

}  // namespace nbody
