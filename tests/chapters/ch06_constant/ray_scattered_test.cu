#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch06_constant/ray_scattered.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "ray_check.h"

TEST_CASE("pictures of awkward sizes, in each of the four ways") {
  for (const auto& one : kCases) {
    INFO(one.words);
    course::check_ray_tracer(
        [&](const std::vector<Sphere>& spheres, unsigned char* rgba, int size) {
          ray_trace(spheres, one.kernel, rgba, size);
        });
  }
}

TEST_CASE("of two surfaces at the same place the earlier sphere counts, wherever one begins") {
  const Sphere red{1, 0, 0, 50, 0, 0, 0}, green{0, 1, 0, 50, 0, 0, 0};
  const Sphere spheres[] = {red, green};
  for (int first : {0, 1}) CHECK(trace_from(first, spheres, 2, 50, 50, 100).x == 255);
}

TEST_CASE("the program") {
  for (const char* spheres : {"0", "1", "50"}) {
    const course::RunResult result = course::run_program({"--size", "33", "--spheres", spheres});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "all pictures verified"));
    CHECK(course::contains(result.out, "constant memory, scattered"));
    CHECK(course::contains(result.out, "the CPU device") == course::on_cpu_device());
  }
  course::check_number_option("size");
  course::check_number_option("spheres");
  course::check_refused({"--size", "0"}, "1 to 32768");
  course::check_refused({"--spheres", "2341"}, "0 to 2340");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
