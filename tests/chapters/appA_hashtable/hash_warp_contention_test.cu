// No CUDA call in this process: contend_under_watchdog() makes them in children.
#define main program_main
#include "../../../appA_hashtable/hash_warp_contention.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"

TEST_CASE("a warp whose threads go their own way finishes; in lockstep it does not") {
  const course::Attempt today = contend_under_watchdog(false, 60);
  if (course::on_cpu_device()) CHECK(finished(today));
  const course::Attempt lockstep = contend_under_watchdog(true, 60);
  CHECK_FALSE(lockstep.hung);
  if (course::on_cpu_device()) CHECK(lockstep.exit_code == kStopped);
}

TEST_CASE("the program") {
  for (const char* order : {"forward", "reverse", "shuffle:3"}) {
    course::RunOptions options;
    options.environment["CPU_DEVICE_ORDER"] = order;
    const course::RunResult result = course::run_program({}, options);
    CHECK(result.exit_code == 0);
    if (!course::on_cpu_device()) continue;
    CHECK_MESSAGE(course::contains(result.out, "broken as intended: "), result.out);
    for (const char* part : {"lock.h:", "livelock of a warp in lockstep in kernel add_to_table",
                             "31 retry an atomic", "1 has succeeded"})
      CHECK_MESSAGE(course::contains(result.err, part), result.err);
  }
  if (course::on_cpu_device()) {  // too short for the explanation, but the mistake shows
    const course::RunResult result = course::run_program({"--seconds", "1"});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "--seconds 20 waits for that"));
    CHECK(course::contains(result.out, "broken as intended: "));
  }
  course::check_refused({"--seconds", "0"}, "--seconds must be");
}
