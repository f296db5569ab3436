#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch06_constant/ray_global_timed.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "ray_check.h"

TEST_CASE("pictures of awkward sizes") { course::check_ray_tracer(ray_trace); }

TEST_CASE("the kernel has a time") {
  std::vector<unsigned char> rgba(4 * 100 * 100);
  const course::Stopwatch watch;
  const float kernel_ms = ray_trace(random_spheres(20), rgba.data(), 100);
  CHECK(kernel_ms > 0);
  CHECK(kernel_ms <= 1.01 * watch.elapsed_ms());
  CHECK(ray_trace(random_spheres(20), rgba.data(), 0) == 0);
}

TEST_CASE("the program") {
  course::check_ray_program("ray_global_timed", "Time to generate: kernel ");
  course::TemporaryFolder folder;
  const course::RunResult result =
      course::run_program({"--size", "200", "--spheres", "50", "--save", folder.file("r.png")});
  CHECK(result.exit_code == 0);
  course::check_rate(result.out, " ms (", 50 * 200 * 200 * 1e-6, "generate: kernel ");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
