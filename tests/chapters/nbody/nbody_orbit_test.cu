#define main program_main
#include "../../../nbody/nbody_orbit.cu"
#undef main

#include "nbody_check.h"

using nbody::Integrator;

TEST_CASE("the period after 10 turns") {
  const nbody::Orbit orbit = nbody::follow_orbit(Integrator::kLeapfrog, 0.01f, 10);
  CHECK(orbit.period_error() < 1e-3);
  CHECK(orbit.energy_error < 1e-3);
}

TEST_CASE("leapfrog is of second order, symplectic Euler of first") {
  const auto energy_error = [](Integrator integrator, float dt) {
    return nbody::follow_orbit(integrator, dt, 1).energy_error;
  };
  const double leapfrog =
      energy_error(Integrator::kLeapfrog, 0.04f) / energy_error(Integrator::kLeapfrog, 0.02f);
  CHECK(leapfrog > 3.4);
  CHECK(leapfrog < 4.6);
  const double euler =
      energy_error(Integrator::kEuler, 0.02f) / energy_error(Integrator::kEuler, 0.01f);
  CHECK(euler > 1.6);
  CHECK(euler < 2.6);
  CHECK(energy_error(Integrator::kEuler, 0.01f) > 10 * energy_error(Integrator::kLeapfrog, 0.01f));
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({"--turns", "2"});
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(course::contains(result.out, "\nleapfrog"));
  CHECK(course::contains(result.out, "\neuler"));
  course::check_number_option("turns");
}
