// Follows two bodies on a known orbit: the errors of the sources' integrator and of leapfrog.
//
// The orbit is an ellipse of eccentricity 1/2 and takes exactly 2 pi. What to look at: halve the
// time step, and leapfrog's energy error falls to a quarter, that of symplectic Euler to a half.
// The error of the period falls to a quarter for both. Both evaluate the accelerations once per
// step. With both, the energy error stays bounded.
//
//   ./course run nbody_orbit --turns 10

#include <math.h>
#include <stdio.h>

#include <algorithm>

#include "../common/program/options.h"
#include "bodies.h"
#include "gravity_shared.h"
#include "double_precision_reference.h"
#include "simulation.h"

namespace nbody {

struct Orbit {
  double period = 0;        // mean of the turns
  double energy_error = 0;  // the largest on the way, relative
  double period_error() const { return fabs(period - kOrbitPeriod) / kOrbitPeriod; }
};

// Follows the orbit for a number of turns. A turn is over when the line between the bodies points
// along x again; the moment is interpolated between two steps.
inline Orbit follow_orbit(Integrator integrator, float dt, int turns, int threads = 32) {
  Settings settings;
  settings.integrator = integrator;
  settings.dt = dt;
  settings.softening = 0;
  settings.threads = threads;
  Bodies bodies = two_body_orbit();
  const double energy = conserved(bodies, 0).energy;
  Simulation simulation(bodies, kShared, settings);
  Orbit orbit;
  double angle = 0, last_direction = 0;
  const long long most_steps = static_cast<long long>(2 * turns * kOrbitPeriod / dt) + 1;
  for (long long step = 1; step <= most_steps; step++) {
    simulation.step(1);
    bodies = simulation.bodies();
    const double direction = atan2(bodies.positions[1].y - bodies.positions[0].y,
                                   bodies.positions[1].x - bodies.positions[0].x);
    const double turned = remainder(direction - last_direction, 2 * M_PI);
    last_direction = direction;
    const double missing = 2 * M_PI * turns - angle;  // before this step
    angle += turned;
    const double error = fabs((conserved(bodies, 0).energy - energy) / energy);
    orbit.energy_error = std::max(orbit.energy_error, error);
    if (turned >= missing) {
      orbit.period = (step - 1 + missing / turned) * dt / turns;
      break;
    }
  }
  return orbit;
}

}  // namespace nbody

int main(int argc, char** argv) {
  int turns = 10;
  course::Options options("Two bodies on a known orbit, with two integrators.");
  options.number("turns", &turns, 1, 1000, "turns to follow");
  options.parse(argc, argv);

  void* room = nullptr;  // is there a device with some memory? Tested before anything is printed
  HANDLE_ERROR(cudaMalloc(&room, 1024));
  HANDLE_ERROR(cudaFree(room));
  printf("two bodies, eccentricity 1/2, %d turns; the exact period is 2 pi\n\n", turns);
  printf("%-10s %8s %12s %14s %16s\n", "integrator", "dt", "period", "period error",
         "energy error");
  double best = 1;
  for (const auto integrator : {nbody::Integrator::kEuler, nbody::Integrator::kLeapfrog}) {
    const bool leapfrog = integrator == nbody::Integrator::kLeapfrog;
    for (const float dt : {0.02f, 0.01f, 0.005f}) {
      const nbody::Orbit orbit = nbody::follow_orbit(integrator, dt, turns);
      printf("%-10s %8g %12.7f %14.2e %16.2e\n", leapfrog ? "leapfrog" : "euler", dt, orbit.period,
             orbit.period_error(), orbit.energy_error);
      fflush(stdout);
      if (leapfrog) best = orbit.period_error();
    }
  }
  if (!(best < 1e-3)) {
    fprintf(stderr, "the period of leapfrog with the smallest step is wrong by %.2g, above 0.001\n",
            best);
    return course::kExitWrong;
  }
  return 0;
}
