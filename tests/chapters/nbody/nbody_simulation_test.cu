#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../nbody/nbody_simulation.cu"
#undef main

#include <algorithm>
#include <cstring>

#include "../../harness/damaged_run.h"
#include "nbody_check.h"
#include "../../harness/slow_kernel.h"

using nbody::Bodies;
using nbody::Conserved;
using nbody::Integrator;
using nbody::Settings;
using nbody::Simulation;

namespace {

// Before the first CUDA call of this process: the CPU device is two.
[[maybe_unused]] const int two_devices = setenv("CPU_DEVICE_COUNT", "2", 0);

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

void check_plummer_sphere(int count) {
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

}  // namespace

TEST_CASE("energy and momentum of a Plummer sphere") { check_plummer_sphere(512); }

// The README's figures.
TEST_CASE("energy and momentum of a larger Plummer sphere" * doctest::test_suite("long")) {
  check_plummer_sphere(4096);
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

TEST_CASE("leapfrog: half a kick, a drift, half a kick with the pull at the new places") {
  Bodies bodies;
  bodies.add(1, -1, 0, 0, 0, 0, 0);
  bodies.add(3, 1, 0, 0, 0, 0, 0);
  Settings settings;
  settings.dt = 0.5f;
  settings.softening = 0;
  Simulation simulation(bodies, nbody::kRegisters, settings);
  simulation.step(1);
  const Bodies after = simulation.bodies();
  // The pull of 3 at distance 2 is 3/4. After half a kick the first moves at 3/16, the other at
  // -1/16: by 3/32 and -1/32, so that they are 2 - 1/8 apart.
  CHECK(after.positions[0].x == doctest::Approx(-1 + 3.0 / 32));
  CHECK(after.positions[1].x == doctest::Approx(1 - 1.0 / 32));
  const double squared = 1.875 * 1.875;
  CHECK(after.velocities[0].x == doctest::Approx(3.0 / 16 + 0.25 * 3 / squared));
  CHECK(after.velocities[1].x == doctest::Approx(-1.0 / 16 - 0.25 / squared));
  CHECK(simulation.accelerations()[1].x == doctest::Approx(-1 / squared));
}

TEST_CASE("integrators by name") {
  CHECK(nbody::integrator_of("euler") == Integrator::kEuler);
  CHECK(nbody::integrator_of("leapfrog") == Integrator::kLeapfrog);
}

TEST_CASE("energy and momentum by hand") {
  Bodies bodies;
  bodies.add(2, 0, 0, 0, 1, 0, 2);
  bodies.add(3, 0, 4, 0, 0, -1, 0);
  const Conserved sum = nbody::conserved(bodies, 3);
  // 2 * 5 / 2 + 3 * 1 / 2, and -2 * 3 / 5.
  CHECK(sum.energy == doctest::Approx(5 + 1.5 - 1.2));
  CHECK(sum.momentum.x == 2);
  CHECK(sum.momentum.y == -3);
  CHECK(sum.momentum.z == 4);
  CHECK(sum.speed_scale == doctest::Approx(2 * std::sqrt(5.0) + 3));
}

// Stands for a version of gravity: takes 3 ms, and pulls nobody.
static void slow_gravity(const nbody::Field& field) {
  HANDLE_ERROR(cudaMemsetAsync(field.accelerations, 0, field.count * sizeof(float3), field.stream));
  // Only for one share: the devices may work one after the other, or at the same time.
  if (field.first == 0) course::slow_kernel<<<1, 1, 0, field.stream>>>(3);
  HANDLE_ERROR(cudaGetLastError());
}

TEST_CASE("the time of a step") {
  const nbody::Version slow = {"slow", "", slow_gravity, nbody::no_scratch};
  for (int devices : {1, 2}) {
    Settings settings;
    settings.devices = devices;
    int present = 0;
    HANDLE_ERROR(cudaGetDeviceCount(&present));
    if (devices > present) continue;
    Simulation simulation(nbody::uniform_cube(10, 1), slow, settings);
    const course::Stopwatch watch;
    const double step_ms = nbody::measure_step_ms(simulation, 20, devices);
    CHECK(step_ms >= course::at_least(3));
    CHECK(20 * step_ms <= watch.elapsed_ms() * 1.01);
    CHECK(nbody::measure_step_ms(simulation, 0, devices) == 0);
  }
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

TEST_CASE("a cube: evenly filled, at rest") {
  const Bodies cube = nbody::uniform_cube(20000, 3);
  double mean[3] = {}, squares[3] = {};
  for (const float4 p : cube.positions) {
    const double place[] = {p.x, p.y, p.z};
    for (int axis = 0; axis < 3; axis++) {
      REQUIRE((place[axis] >= -1 && place[axis] < 1));
      mean[axis] += place[axis] / 20000;
      squares[axis] += place[axis] * place[axis] / 20000;
    }
    REQUIRE(p.w == doctest::Approx(1.0 / 20000).scale(0));
  }
  for (int axis = 0; axis < 3; axis++) {
    CHECK(fabs(mean[axis]) < 0.02);  // 5 deviations
    CHECK(squares[axis] == doctest::Approx(1.0 / 3).epsilon(0.03).scale(0));
  }
  for (const float3 v : cube.velocities) REQUIRE((v.x == 0 && v.y == 0 && v.z == 0));
}

TEST_CASE("a Plummer sphere: the mass within a radius, the speeds, all directions alike") {
  const int n = 20000;
  const Bodies sphere = nbody::plummer_sphere(n, 7);
  const double scale = 3 * M_PI / 16, deviation = 1 / std::sqrt(1.0 * n);
  const auto share = [](double radius) {
    return std::pow(radius, 3) / std::pow(radius * radius + 1, 1.5);
  };
  for (double radius : {0.3, 0.7, 1.0, 1.5, 3.0}) {
    int within = 0;
    for (const float4 p : sphere.positions)
      within += sqrt(1.0 * p.x * p.x + 1.0 * p.y * p.y + 1.0 * p.z * p.z) < radius * scale;
    CAPTURE(radius);
    // Of what is within 10: nobody is further out.
    CHECK(fabs(1.0 * within / n - share(radius) / share(10)) < 2.5 * deviation);
  }
  double part = 0, up = 0, speed_up = 0, outward = 0, outward_squared = 0;
  for (int i = 0; i < n; i++) {
    const float4 p = sphere.positions[i];
    const float3 v = sphere.velocities[i];
    const double r2 = 1.0 * p.x * p.x + 1.0 * p.y * p.y + 1.0 * p.z * p.z;
    const double v2 = 1.0 * v.x * v.x + 1.0 * v.y * v.y + 1.0 * v.z * v.z;
    const double along = (1.0 * p.x * v.x + 1.0 * p.y * v.y + 1.0 * p.z * v.z) / sqrt(r2 * v2);
    // The speed of escape: the potential is 1 / sqrt(r^2 + scale^2).
    part += v2 / (2 / sqrt(r2 + scale * scale)) / n;
    up += p.z * p.z / r2 / n;
    speed_up += v.z * v.z / v2 / n;
    outward += along / n;
    outward_squared += along * along / n;
  }
  // With q^2 (1 - q^2)^(7/2), the mean of q^2 is B(5/2, 9/2) / B(3/2, 9/2) = 1/4, with a deviation
  // of 0.16.
  CHECK(fabs(part - 0.25) < 0.8 * deviation);
  for (double third : {up, speed_up, outward_squared})
    CHECK(fabs(third - 1.0 / 3) < 1.5 * deviation);
  CHECK(fabs(outward) < 3 * deviation);
}

TEST_CASE("the orbit of two bodies: its center, energy, and angular momentum") {
  const Bodies pair = nbody::two_body_orbit();
  const float4 heavy = pair.positions[0], light = pair.positions[1];
  CHECK(heavy.w == 0.75f);
  CHECK(light.w == 0.25f);
  CHECK(light.x - heavy.x == 0.5f);  // 1 - eccentricity
  CHECK(0.75f * heavy.x + 0.25f * light.x == 0);
  const Conserved start = nbody::conserved(pair, 0);
  CHECK(start.energy == doctest::Approx(-0.75 * 0.25 / 2));  // -m1 m2 / (2 a)
  CHECK(fabs(start.momentum.y) < 1e-7);
  // The reduced mass times sqrt(a (1 - e^2)), counterclockwise.
  const double around =
      0.75 * heavy.x * pair.velocities[0].y + 0.25 * light.x * pair.velocities[1].y;
  CHECK(around == doctest::Approx(0.75 * 0.25 * sqrt(0.75)));
}

TEST_CASE("where the bodies start") {
  for (const int n : {0, 1, 2, 3, 1000}) {
    CAPTURE(n);
    for (const Bodies& bodies : {nbody::uniform_cube(n, 1), nbody::plummer_sphere(n, 1)}) {
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
  CHECK(whole.energy == doctest::Approx(-0.25).epsilon(0.07).scale(0));
  CHECK(2 * (whole.energy - potential) == doctest::Approx(-potential).epsilon(0.07).scale(0));
  std::vector<double> radii;
  for (const float4 p : sphere.positions)
    radii.push_back(sqrt(1.0 * p.x * p.x + 1.0 * p.y * p.y + 1.0 * p.z * p.z));
  std::sort(radii.begin(), radii.end());
  CHECK(radii[2000] == doctest::Approx(0.77).epsilon(0.05).scale(0));
  double center_x = 0;
  for (const float4 p : sphere.positions) center_x += 1.0 * p.w * p.x;
  CHECK(fabs(center_x) < 1e-5);
  CHECK(fabs(whole.momentum.x) < 1e-5);
  CHECK(fabs(whole.momentum.y) < 1e-5);
  CHECK(fabs(whole.momentum.z) < 1e-5);
  // Other seeds, other bodies.
  CHECK_FALSE(same_state(nbody::plummer_sphere(100, 1), nbody::plummer_sphere(100, 2)));
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  const auto ok = [&](std::vector<std::string> args, int devices = 1) {
    course::RunOptions options;
    options.working_directory = folder.path();
    options.environment["CPU_DEVICE_COUNT"] = std::to_string(devices);
    const course::RunResult result = course::run_program(args, options);
    const bool may_lack = devices > 1 && !course::on_cpu_device();
    CHECK_MESSAGE((result.exit_code == 0 || (may_lack && result.exit_code == 77)),
                  (result.err + result.out));
    return result;
  };
  for (const char* size : {"0", "1", "2", "100"}) {
    ok({"--size", size, "--steps", "3"});
    ok({"--size", size, "--steps", "3", "--double"});
  }
  course::check_refused({"--double", "--devices", "2"}, "--double goes with neither --devices");
  course::check_refused({"--double", "--save-state", "state.txt"}, "--double goes with neither");
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

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--steps", "2"});
}
