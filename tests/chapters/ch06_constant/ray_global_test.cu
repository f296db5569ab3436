#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch06_constant/ray_global.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "ray_check.h"

TEST_CASE("pictures of awkward sizes") { course::check_ray_tracer(ray_trace); }

TEST_CASE("the program") { course::check_ray_program("ray_global", ""); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }

TEST_CASE("the spheres are the same on every machine") {  // the Mersenne Twister's for seed 6
  const Sphere first = random_spheres(1)[0];
  CHECK(first.r == 14979707 * 0x1p-24f);
  CHECK(first.g == 15896010 * 0x1p-24f);
}

TEST_CASE("of two surfaces at the same place the earlier sphere counts") {
  const Sphere spheres[] = {{1, 0, 0, 50, 0, 0, 0}, {0, 1, 0, 50, 0, 0, 0}};
  CHECK(trace(spheres, 2, 50, 50, 100).x == 255);
  CHECK(trace(spheres, 2, 50, 50, 100).y == 0);
}
