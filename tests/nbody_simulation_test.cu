#define main program_main
#include "../nbody/nbody_simulation.cu"
#undef main

#include <algorithm>
#include <cstring>

#include "nbody_check.h"

using nbody::Bodies;
using nbody::Conserved;
using nbody::Integrator;
using nbody::Settings;
using nbody::Simulation;

namespace {

bool same_state(const Bodies& a, const Bodies& b) {
  return a.count() == b.count() &&
         (a.count() == 0 ||
          (memcmp(a.positions.data(), b.positions.data(), a.count() * sizeof(float4)) == 0 &&
           memcmp(a.velocities.data(), b.velocities.data(), a.count() * sizeof(float3)) == 0));
}

double momentum_drift(const Conserved& now, const Conserved& start) {
  const double dx = now.momentum.x - start.momentum.x, dy = now.momentum.y - start.momentum.y,
               dz = now.momentum.z - start.momentum.z;
  return sqrt(dx * dx + dy * dy + dz * dz) / now.speed_scale;
}

}  // namespace

TEST_CASE("energy and momentum of a Plummer sphere") {
  // The figures of the README once, with the threads in their usual order (13 s on two cores); with
  // fewer bodies in other orders and under a sanitizer, which take longer.
#ifdef __SANITIZE_ADDRESS__
  const int count = 512;
#else
  const int count = getenv("CPU_DEVICE_ORDER") == nullptr ? 4096 : 512;
#endif
  const Bodies bodies = nbody::plummer_sphere(count, 1);
  Settings settings;
  settings.dt = 0.01f;
  const Conserved start = nbody::conserved(bodies, settings.softening);
  Simulation simulation(bodies, nbody::kRegisters, settings);
  simulation.step(1000);
  const Conserved end = nbody::conserved(simulation.bodies(), settings.softening);
  CHECK(fabs((end.energy - start.energy) / start.energy) < 1e-4);
  CHECK(momentum_drift(end, start) < 1e-5);
  CHECK(start.energy != end.energy);  // something has moved
}

TEST_CASE("symplectic Euler moves by the new velocity") {
  Bodies bodies;
  bodies.add(1, -1, 0, 0, 0, 0, 0);
  bodies.add(3, 1, 0, 0, 0, 0, 0);
  Settings settings;
  settings.dt = 0.5f;
  settings.softening = 0;
  settings.integrator = Integrator::kEuler;
  Simulation simulation(bodies, nbody::kRegisters, settings);
  simulation.step(1);
  const Bodies after = simulation.bodies();
  CHECK(after.velocities[0].x == doctest::Approx(0.5 * 3.0 / 4));
  CHECK(after.velocities[1].x == doctest::Approx(-0.5 * 1.0 / 4));
  CHECK(after.positions[0].x == doctest::Approx(-1 + 0.25 * 3.0 / 4));
  CHECK(after.positions[1].w == 3);
}

TEST_CASE("a saved state continues with the same bits") {
  for (const auto integrator : {Integrator::kEuler, Integrator::kLeapfrog}) {
    Settings settings;
    settings.integrator = integrator;
    const Bodies bodies = nbody::plummer_sphere(301, 3);
    Simulation whole(bodies, nbody::kRegisters, settings);
    whole.step(13);
    Simulation first(bodies, nbody::kRegisters, settings);
    first.step(6);
    course::TemporaryFolder folder;
    nbody::write_bodies(folder.file("half.txt"), first.bodies());
    Simulation second(nbody::read_bodies(folder.file("half.txt")), nbody::kRegisters, settings);
    second.step(7);
    CHECK(same_state(whole.bodies(), second.bodies()));
    CHECK_FALSE(same_state(whole.bodies(), first.bodies()));
  }
}

TEST_CASE("files keep every bit") {
  course::TemporaryFolder folder;
  Bodies bodies;
  bodies.add(0.1f, 1.0f / 3, -0.0, 1e-40, 3.4e38, -1.17549435e-38, 16777217);
  bodies.add(0, 1e9, -1e9, 1e-45, 0, 0, 0);
  for (const Bodies& some : {bodies, Bodies{}, nbody::random_bodies(1000)}) {
    nbody::write_bodies(folder.file("bodies.txt"), some);
    CHECK(same_state(nbody::read_bodies(folder.file("bodies.txt")), some));
  }
}

TEST_CASE("where the bodies start") {
  for (const int n : {0, 1, 2, 3, 1000}) {
    CAPTURE(n);
    for (const Bodies& bodies : {nbody::uniform_cube(n, 1), nbody::plummer_sphere(n, 1),
                                 nbody::colliding_discs(n, 1, 0.05)}) {
      REQUIRE(bodies.count() == n);
      REQUIRE(bodies.velocities.size() == static_cast<size_t>(n));
      double mass = 0;
      for (const float4 p : bodies.positions) {
        CHECK((std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) && p.w > 0));
        mass += p.w;
      }
      if (n > 1) CHECK(mass == doctest::Approx(1).epsilon(1e-4));
    }
  }
  // A Plummer sphere in these units has energy -1/4, is in equilibrium (twice the kinetic energy is
  // minus the potential energy), and half of it is within 0.77.
  const Bodies sphere = nbody::plummer_sphere(4000, 2);
  const Conserved whole = nbody::conserved(sphere, 0);
  Bodies at_rest = sphere;
  for (float3& v : at_rest.velocities) v = make_float3(0, 0, 0);
  const double potential = nbody::conserved(at_rest, 0).energy;
  CHECK(whole.energy == doctest::Approx(-0.25).epsilon(0.05));
  CHECK(2 * (whole.energy - potential) == doctest::Approx(-potential).epsilon(0.05));
  std::vector<double> radii;
  for (const float4 p : sphere.positions)
    radii.push_back(sqrt(1.0 * p.x * p.x + 1.0 * p.y * p.y + 1.0 * p.z * p.z));
  std::sort(radii.begin(), radii.end());
  CHECK(radii[2000] == doctest::Approx(0.77).epsilon(0.07));
  CHECK(fabs(whole.momentum.x) < 1e-5);
  // Other seeds, other bodies.
  CHECK_FALSE(same_state(nbody::plummer_sphere(100, 1), nbody::plummer_sphere(100, 2)));
  // The discs approach each other.
  const Bodies discs = nbody::colliding_discs(1000, 1, 0.05);
  CHECK(discs.positions[0].x < -1);
  CHECK(discs.positions[500].x > 1);
  CHECK(discs.velocities[0].x > 0);
  CHECK(discs.velocities[500].x < 0);
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  const auto ok = [&](std::vector<std::string> args, int devices = 1) {
    course::RunOptions options;
    options.working_directory = folder.path();
    options.environment["CPU_DEVICE_COUNT"] = std::to_string(devices);
    const course::RunResult result = course::run_program(args, options);
    CHECK_MESSAGE((result.exit_code == 0 || (devices > 1 && result.exit_code == 77)), result.err);
    return result;
  };
  for (const char* size : {"0", "1", "2", "100"}) ok({"--size", size, "--steps", "3"});
  ok({"--size", "10", "--steps", "0"});
  ok({"--size", "200", "--steps", "20", "--save-state", "whole.txt"});
  ok({"--size", "200", "--steps", "8", "--save-state", "half.txt"});
  ok({"--file", "half.txt", "--steps", "12", "--save-state", "continued.txt"});
  const std::string whole = course::read_file(folder.file("whole.txt"));
  CHECK(whole == course::read_file(folder.file("continued.txt")));
  CHECK(whole != course::read_file(folder.file("half.txt")));
  CHECK(course::count_lines(whole) == 201);
  // Several devices give the same bits as one, also where some have no body at all.
  for (const char* devices : {"2", "3"}) {
    const course::RunResult several = ok(
        {"--size", "200", "--steps", "20", "--devices", devices, "--save-state", "several.txt"}, 3);
    if (several.exit_code == 0) CHECK(whole == course::read_file(folder.file("several.txt")));
  }
  ok({"--size", "1", "--steps", "2", "--devices", "3"}, 3);
  ok({"--size", "0", "--steps", "2", "--devices", "3"}, 3);

  nbody::check_bad_bodies();
  course::check_number_option("steps");
  course::check_refused({"--integrator", "runge"}, "--integrator must be one of leapfrog|euler");
  course::check_refused({"--save-state", "no/such/folder/state.txt"}, "No such file or directory");
  course::check_refused({"--save-state", ""}, "--save-state");
}
