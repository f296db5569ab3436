#define main program_main
#include "../ch06_constant/ray_constant.cu"
#undef main

#include "ray_check.h"

TEST_CASE("pictures of awkward sizes") { course::check_ray_tracer(ray_trace); }

TEST_CASE("the program") { course::check_ray_program("ray_constant", ""); }
