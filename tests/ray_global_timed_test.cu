#define main program_main
#include "../ch06_constant/ray_global_timed.cu"
#undef main

#include "ray_check.h"

TEST_CASE("pictures of awkward sizes") { course::check_ray_tracer(ray_trace); }

TEST_CASE("the kernel has a time") {
  std::vector<unsigned char> rgba(4 * 100 * 100);
  CHECK(ray_trace(random_spheres(20), rgba.data(), 100) > 0);
  CHECK(ray_trace(random_spheres(20), rgba.data(), 0) == 0);
}

TEST_CASE("the program") {
  course::check_ray_program("ray_global_timed", "Time to generate: kernel ");
}
