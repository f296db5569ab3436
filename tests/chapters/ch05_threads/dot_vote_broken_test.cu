// A checked run explains the mistake (tests/checked_run/checked_programs.txt); an ordinary one must not claim
// that it was seen when it was not. No CUDA call in this process: dot_under_watchdog() makes them
// in a child.
#define main program_main
#include "../../../ch05_threads/dot_vote_broken.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"

TEST_CASE("some sum comes back") {
  for (size_t n : {1, 31, 257, 1021, 33 * 1024}) {
    const std::vector<float> ones(n, 1.0f);
    const course::Outcome<double> outcome = dot_under_watchdog(ones.data(), ones.data(), n);
    CHECK_FALSE(outcome.hung);
    CHECK(outcome.error == cudaSuccess);
    if (course::on_cpu_device()) CHECK(outcome.result == n);  // its lanes meet in the vote
  }
}

TEST_CASE("the program says what it saw") {
  for (const char* order : {"forward", "reverse", "shuffle:1"}) {
    course::RunOptions options;
    options.environment["CPU_DEVICE_ORDER"] = order;
    const course::RunResult result = course::run_program({}, options);
    CHECK(result.exit_code == 0);
    CHECK((course::contains(result.out, "broken as intended: the sum is ") ||
           course::contains(result.out, "the mistake did not show this time: the sum is right")));
  }
  CHECK(course::contains(course::run_program({"--size", "0"}).out, "nothing to see"));
}

TEST_CASE("bad options") { course::check_number_option("size"); }
