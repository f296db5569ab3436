#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch10_streams/missing_dependency.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "../../harness/missing_check.h"

TEST_CASE("right with it; without it wrong, on the CPU device every time") {
  course::check_missing(count_right);
}

TEST_CASE("the program") { course::check_missing_program(); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
