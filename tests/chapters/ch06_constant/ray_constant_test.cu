#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch06_constant/ray_constant.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "ray_check.h"

TEST_CASE("pictures of awkward sizes") { course::check_ray_tracer(ray_trace); }

TEST_CASE("the program") { course::check_ray_program("ray_constant", ""); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
