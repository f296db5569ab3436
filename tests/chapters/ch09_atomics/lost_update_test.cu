#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch09_atomics/lost_update.cu"
#undef main

#include <doctest/doctest.h>

#include <cstdlib>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

TEST_CASE("the tables of two threads") {
  CHECK(show_two_threads(false) == 9);
  CHECK(show_two_threads(true) == 8);
}

TEST_CASE("counts are lost without atomics, and none with them") {
  for (int blocks : {1, 3, 100})
    for (int threads : {2, 32, 33, 256}) {
      CHECK(count_threads(Method::kAtomic, blocks, threads) == blocks * threads);
      const int paused = count_threads(Method::kPause, blocks, threads);
      CHECK(paused >= 1);
      CHECK(paused < blocks * threads);
      const int plain = count_threads(Method::kPlain, blocks, threads);
      CHECK(plain >= 1);
      CHECK(plain <= blocks * threads);
    }
}

TEST_CASE("the program") {
  for (const char* order : {"forward", "reverse", "shuffle:3"}) {
    course::RunOptions options;
    options.environment["CPU_DEVICE_ORDER"] = order;
    const course::RunResult result = course::run_program({}, options);
    CHECK(result.exit_code == 0);
    CHECK_MESSAGE(course::contains(result.out, "broken as intended: "), result.out);
    // What is lost with the pause: 256000 less the counter, in the table and in the verdict.
    const double counted = course::printed_after(result.out, "x++ with a pause").high - 0.5;
    const std::string lost = std::to_string(256000 - static_cast<int>(counted));
    CHECK_MESSAGE(course::contains(result.out, ", " + lost + " lost\n  atomicAdd"), result.out);
    CHECK_MESSAGE(course::contains(result.out, "broken as intended: " + lost + " counts"),
                  result.out);
    CHECK_MESSAGE(course::contains(result.out, " 256000, 0 lost\n"), result.out);
    const int plain =
        static_cast<int>(course::printed_after(result.out, "x++                ").high);
    CHECK(course::contains(result.out, std::to_string(plain) + ", " +
                                           std::to_string(256000 - plain) + " lost\n  x++ with"));
  }
  course::check_number_option("blocks");
  course::check_refused({"--threads", "1"}, "--threads must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--blocks", "2"}); }
