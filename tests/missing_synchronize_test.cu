#define main program_main
#include "../ch10_streams/missing_synchronize.cu"
#undef main

#include <doctest/doctest.h>

#include <cstdlib>

#include "bad_input.h"

TEST_CASE("right with it; without it wrong, on the CPU device every time") {
  const char* device = getenv("COURSE_DEVICE");
  for (size_t n : {1, 2, 255, 257, 100003}) {
    CHECK(count_right(n, true) == n);
    const size_t without = count_right(n, false);
    if (device != nullptr && std::string(device) == "cpu") CHECK(without == 0);
  }
}

TEST_CASE("the program") {
  for (const char* order : {"forward", "reverse", "shuffle:3"}) {
    course::RunOptions options;
    options.environment["CPU_DEVICE_ORDER"] = order;
    const course::RunResult result = course::run_program({"--size", "10007"}, options);
    CHECK(result.exit_code == 0);
    CHECK((course::contains(result.out, "broken as intended: ") ||
           course::contains(result.out, "the mistake did not show this time: ")));
  }
  course::check_refused({"--size", "0"}, "--size must be");
}
