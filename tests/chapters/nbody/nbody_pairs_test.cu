#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../nbody/nbody_pairs.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "nbody_check.h"

TEST_CASE("accelerations") { nbody::check_version(nbody::kPairs); }

TEST_CASE("other rows, and rows in several launches") {
  for (const int n : {1, 33, 500, 2017, 4001}) {
    nbody::check_against_reference(nbody::pairs_version<1, 1, 1>(), n, 256, 0.05f);
    nbody::check_against_reference(nbody::pairs_version<2, 4, 100000>(), n, 256, 0.05f);
    nbody::check_against_reference(nbody::pairs_version<5, 2>(), n, 256, 0.05f);
  }
}

TEST_CASE("momentum is conserved to rounding: what one body does to another, that one does back") {
  nbody::Bodies bodies = nbody::random_bodies(3000);
  const std::vector<float3> result = nbody::accelerations(nbody::kPairs, bodies, 0.05f);
  double x = 0, y = 0, z = 0, scale = 0;
  for (int i = 0; i < bodies.count(); i++) {
    const double mass = bodies.positions[i].w;
    x += mass * result[i].x;
    y += mass * result[i].y;
    z += mass * result[i].z;
    scale += mass * std::sqrt(1.0 * result[i].x * result[i].x + 1.0 * result[i].y * result[i].y +
                              1.0 * result[i].z * result[i].z);
  }
  CHECK(std::sqrt(x * x + y * y + z * z) < 1e-7 * scale);
}

TEST_CASE("wrong accelerations are seen") { nbody::check_that_errors_are_seen(nbody::kPairs); }

TEST_CASE("the program") {
  nbody::check_program();
  const course::RunResult result = course::run_program({"--size", "64", "--steps", "1"});
  CHECK(course::contains(result.out, "each pair once, 32 threads per block"));
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--steps", "1"});
}
