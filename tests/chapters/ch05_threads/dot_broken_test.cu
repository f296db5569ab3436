// The mistake must be found out, and never hang. No CUDA call in this process: dot_under_watchdog()
// makes them in a child.
#define main program_main
#include "../../../ch05_threads/dot_broken.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"

TEST_CASE("the device reports an error, as long as there is one block") {
  for (size_t n : {1, 15, 16, 17, 256, 257, 1000, 1021, 1024, 33 * 1024}) {
    const std::vector<float> ones(n, 1.0f);
    const course::Outcome<double> outcome = dot_under_watchdog(ones.data(), ones.data(), n);
    if (course::on_cpu_device()) {
      CHECK_FALSE(outcome.hung);
      CHECK(outcome.error == cudaErrorLaunchFailure);
    } else {  // a hang that was ended, an error, or some sum: but we have come here
      CHECK(outcome.result == outcome.result);
    }
  }
}

TEST_CASE("the program says what it saw") {
  for (const char* order : {"forward", "reverse", "shuffle:1", "shuffle:2"}) {
    course::RunOptions options;
    options.environment["CPU_DEVICE_ORDER"] = order;
    const course::RunResult result = course::run_program({}, options);
    CHECK(result.exit_code == 0);
    CHECK_FALSE(result.timed_out);
    if (course::on_cpu_device()) {
      CHECK(result.out == "broken as intended: the device reports 'unspecified launch failure'\n");
      // Which line, who waits there, who has left.
      for (const char* part :
           {"dot_broken.cu:", "divergent barrier in kernel dot_kernel",
            "128 wait at __syncthreads(), line", "threads 0-127",
            "128 have left the kernel: threads 128-255", "hint: all threads of the block must reach __syncthreads()"})
        CHECK_MESSAGE(course::contains(result.err, part), result.err);
    } else {
      CHECK((course::contains(result.out, "broken as intended: ") ||
             course::contains(result.out, "the mistake did not show this time: ")));
    }
  }
  const course::RunResult nothing = course::run_program({"--size", "0"});
  CHECK(nothing.exit_code == 0);
  CHECK(course::contains(nothing.out, "nothing to see"));
}

TEST_CASE("bad options") {
  course::check_number_option("size");
  course::check_refused({"--size", "-1"}, "--size must be");
}

TEST_CASE("the mistake may hide where threads that have left are not waited for") {
  if (!course::on_cpu_device()) return;
  course::RunOptions options;
  options.environment["CPU_DEVICE_EXITED_THREADS"] = "ignore";
  const course::RunResult result = course::run_program({}, options);
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "the mistake did not show this time: "));
}
