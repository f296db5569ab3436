#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../nbody/nbody_table.cu"
#undef main

#include <sstream>

#include "../../harness/damaged_run.h"
#include "nbody_check.h"

TEST_CASE("the versions agree with each other") {
  for (const int n : {1, 2, 257, 1000, 4001}) {
    CAPTURE(n);
    const nbody::Bodies bodies = nbody::random_bodies(n);
    const std::vector<float3> expected = nbody::accelerations(nbody::kShared, bodies, 0.05f);
    double norm = 0;
    for (const float3 a : expected) norm += 1.0 * a.x * a.x + 1.0 * a.y * a.y + 1.0 * a.z * a.z;
    for (const nbody::Version& version : nbody::versions()) {
      CAPTURE(version.name);
      const std::vector<float3> result = nbody::accelerations(version, bodies, 0.05f);
      double difference = 0;
      for (int i = 0; i < n; i++)
        difference += std::pow(result[i].x - expected[i].x, 2) +
                      std::pow(result[i].y - expected[i].y, 2) +
                      std::pow(result[i].z - expected[i].z, 2);
      CHECK(std::sqrt(difference) <= 1e-5 * std::sqrt(norm));
    }
  }
}

TEST_CASE("lists of versions") {
  CHECK(nbody::chosen_versions("all").size() ==
        nbody::versions().size() + nbody::cpu_versions().size());
  CHECK(nbody::chosen_versions("shared") == std::vector<std::string>{"shared"});
  CHECK(nbody::chosen_versions("constant,cpu,shared") ==
        std::vector<std::string>{"constant", "cpu", "shared"});
  for (const char* bad : {"fast", "shared,", ",shared", "shared,,cpu", "Shared", "all,cpu"})
    course::check_refused({"--versions", bad}, "--versions takes a list of all, cpu, ");
  course::check_refused({"--versions", ""}, "--versions needs a value");
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({"--size", "1000", "--steps", "2"});
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  for (const char* row :
       {"\ncpu ", "\nfloat3", "\nfloat4", "\nshared", "\nconstant", "\nregisters", "all verified"})
    CHECK(course::contains(result.out, row));
  // A row's figures fit each other: ms, 10^9 interactions, 10^9 operations, the share of the peak.
  const size_t row = result.out.find("\nregisters ") + 1;
  const size_t peak_at = result.out.find("multiply-adds alone reach ");
  REQUIRE(row != std::string::npos);
  REQUIRE(peak_at != std::string::npos);
  std::istringstream words(result.out.substr(row, result.out.find('\n', row) - row));
  std::string name, ms, interactions, operations, share;
  words >> name >> ms >> interactions >> operations >> share;
  using course::printed_after;
  INFO(result.out);
  CHECK(course::is_quotient(printed_after(interactions, ""), 1, {1, 1}, printed_after(ms, "")));
  CHECK(course::is_quotient(printed_after(operations, ""), 20, printed_after(interactions, ""),
                            {1, 1}));
  CHECK(course::is_quotient(printed_after(share, ""), 100, printed_after(operations, ""),
                            printed_after(result.out, "multiply-adds alone reach ")));
  for (const char* size : {"0", "1", "2"}) {
    const course::RunResult small = course::run_program({"--size", size, "--steps", "1"});
    CHECK_MESSAGE(small.exit_code == 0, small.err);
    CHECK_FALSE(course::contains(small.out, "nan"));
    CHECK_FALSE(course::contains(small.out, "inf"));
  }
  const course::RunResult some =
      course::run_program({"--size", "300", "--steps", "1", "--versions", "shared,constant"});
  CHECK(some.exit_code == 0);
  CHECK_FALSE(course::contains(some.out, "\nfloat3"));
  CHECK(course::contains(some.out, "\nconstant"));
  // A version that is asked for by name is there, also where "all" leaves it out because it takes so long.
  const course::RunResult large =
      course::run_program({"--size", "16385", "--steps", "1", "--versions", "cpu"});
  CHECK(large.exit_code == 0);
  CHECK(course::contains(large.out, "\ncpu "));
  nbody::check_bad_bodies();
}

TEST_CASE("the CPU's versions agree with the reference") {
  for (const nbody::CpuVersion& version : nbody::cpu_versions())
    for (const int n : {0, 1, 2, 15, 16, 17, 1000, 4001}) {
      CAPTURE(version.name);
      CAPTURE(n);
      const nbody::Bodies bodies = nbody::random_bodies(n);
      std::vector<float3> result(n);
      version.gravity(bodies.positions.data(), n, nbody::softening_squared(0.05f), result.data());
      CHECK(nbody::accuracy(bodies.positions, result, 0.05f).relative_error < 1e-5);
    }
}

TEST_CASE("double precision: accelerations and steps") {
  nbody::Settings settings;
  for (const int n : {0, 1, 2, 33, 257, 1000})
    for (const int threads : {1, 32, 96, 256}) {
      CAPTURE(n);
      CAPTURE(threads);
      settings.threads = threads;
      const nbody::Bodies bodies = nbody::random_bodies(n);
      nbody::DoubleSimulation simulation(bodies, settings);
      const std::vector<double3> result = simulation.accelerations();
      REQUIRE(result.size() == static_cast<size_t>(n));
      CHECK(nbody::accuracy(bodies.positions, result, settings.softening).relative_error < 1e-13);
    }
  // A step too large for the rest of the digits to matter: as the simulation in float.
  for (const auto integrator : {nbody::Integrator::kEuler, nbody::Integrator::kLeapfrog}) {
    settings.integrator = integrator;
    settings.dt = 0.1f;
    const nbody::Bodies bodies = nbody::plummer_sphere(300, 1);
    nbody::Simulation in_float(bodies, nbody::kShared, settings);
    nbody::DoubleSimulation in_double(bodies, settings);
    in_float.step(3);
    in_double.step(3);
    const nbody::Bodies expected = in_float.bodies();
    const nbody::DoubleSimulation::State state = in_double.state();
    double largest = 0, moved = 0;
    for (int i = 0; i < 300; i++) {
      const float4 p = expected.positions[i];
      const auto& q = state.positions[i];
      largest = std::max({largest, std::fabs(p.x - q.x), std::fabs(p.y - q.y), std::fabs(p.z - q.z),
                          std::fabs(expected.velocities[i].x - state.velocities[i].x)});
      moved = std::max(moved, std::fabs(bodies.positions[i].x - q.x));
      CHECK(p.w == q.w);
    }
    CHECK(largest < 1e-4);
    CHECK(moved > 0.1);
  }
}

TEST_CASE("float against double") {
  const course::RunResult result = course::run_program(
      {"--precision", "--initial", "plummer", "--size", "500", "--steps", "20"});
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  // Of each row the last but one figure is the error.
  const auto error = [&](const std::string& name) {
    const size_t at = result.out.find("\n" + name + " ");
    REQUIRE_MESSAGE(at != std::string::npos, result.out);
    std::istringstream words(result.out.substr(at));
    std::string word;
    double number = 0;
    words >> word;
    for (int column = 0; column < 4; column++) words >> number;
    return number;
  };
  CHECK(error("shared") > 1e-9);
  CHECK(error("registers") > 1e-9);
  CHECK(error("double") < 1e-13);
  course::check_refused({"--precision", "--devices", "2"}, "--precision is for one device");
  for (const char* size : {"0", "1"})
    CHECK(course::run_program({"--precision", "--size", size, "--steps", "1"}).exit_code == 0);
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--precision", "--size", "100", "--steps", "2"});
  course::check_damage_is_noticed({"--size", "100", "--steps", "2"});
}
