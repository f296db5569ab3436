#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../appA_hashtable/lock_test_then_set.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("counts are lost under the wrong lock, and none under the right one") {
  for (int blocks : {1, 2, 30})
    for (int threads : {2, 31, 32, 33, 128}) {
      CHECK(count_threads(false, blocks, threads) == blocks * threads);
      const int counted = count_threads(true, blocks, threads);
      CHECK(counted >= 1);
      CHECK(counted <= blocks * threads);
    }
}

TEST_CASE("the program") {
  for (const char* order : {"forward", "reverse", "shuffle:3"}) {
    course::RunOptions options;
    options.environment["CPU_DEVICE_ORDER"] = order;
    const course::RunResult result = course::run_program({}, options);
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "atomicCAS     3200 of 3200 counted\n"));
    CHECK((course::contains(result.out, "broken as intended: ") ||
           course::contains(result.out, "the mistake did not show this time: ")));
  }
  course::check_refused({"--threads", "1"}, "--threads must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--blocks", "2"}); }
