#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/dot_warp.cu"
#undef main

#include "dot_program_check.h"

TEST_CASE("random vectors of awkward lengths, with every number of threads") {
  course::check_dot_in_all_shapes(1);
}

TEST_CASE("the program") { course::check_dot_runs(); }

TEST_CASE("figures") { course::check_dot_figures(); }

TEST_CASE("bad options") {
  course::check_dot_options({"3", "100", "1023"}, "--threads must be a power of two");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
