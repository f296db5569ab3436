#include "watch_calls.h"

#define main program_main
#include "../nbody/nbody_table.cu"
#undef main

#include <sstream>

#include "damaged_run.h"
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
  CHECK(nbody::chosen_versions("all").size() == nbody::versions().size() + 1);
  CHECK(nbody::chosen_versions("shared") == std::vector<std::string>{"shared"});
  CHECK(nbody::chosen_versions("constant,cpu,shared") ==
        std::vector<std::string>{"constant", "cpu", "shared"});
  for (const char* bad : {"fast", "shared,", ",shared", "shared,,cpu", "Shared", "all,cpu"})
    course::check_refused({"--versions", bad}, "--versions takes a list of all, cpu, float3");
  course::check_refused({"--versions", ""}, "--versions needs a value");
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({"--size", "1000", "--steps", "2"});
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  for (const char* row : {"\ncpu, serial", "\nfloat3", "\nfloat4", "\nshared", "\nconstant",
                          "\nregisters", "all verified"})
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
  nbody::check_bad_bodies();
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--steps", "2"});
}
