#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch09_atomics/histogram_private.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "histogram_check.h"

TEST_CASE("awkward sizes, bins, launches and data") { check_histogram(896); }

TEST_CASE("the program") { check_histogram_program(); }

TEST_CASE("a block that needs more shared memory than there is") {
  course::check_refused({"--threads", "1024"}, "take fewer with --threads");
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "1000", "--blocks", "2"});
}
