#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch06_constant/ray_grid_constant.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "ray_check.h"

TEST_CASE("pictures of awkward sizes") { course::check_ray_tracer(ray_trace, Scene::kMost); }

TEST_CASE("the arguments are 4 KB at most") {
  CHECK(sizeof(Scene) + sizeof(uchar4*) + sizeof(int) <= 4096);
  CHECK(sizeof(Scene) + sizeof(Sphere) + sizeof(uchar4*) + sizeof(int) > 4096);
}

TEST_CASE("the program") { course::check_ray_program("ray_grid_constant", "", Scene::kMost); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
