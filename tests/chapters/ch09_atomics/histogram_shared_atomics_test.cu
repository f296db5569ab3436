#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch09_atomics/histogram_shared_atomics.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "histogram_check.h"

TEST_CASE("awkward sizes, bins, launches and data") { check_histogram(1024); }

TEST_CASE("the program") { check_histogram_program(); }

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "1000", "--blocks", "2"});
}
