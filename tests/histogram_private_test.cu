#define main program_main
#include "../ch09_atomics/histogram_private.cu"
#undef main

#include "histogram_check.h"

TEST_CASE("awkward sizes, bins, launches and data") { check_histogram(896); }

TEST_CASE("the program") { check_histogram_program(); }

TEST_CASE("a block that needs more shared memory than there is") {
  course::check_refused({"--threads", "1024"}, "take fewer with --threads");
}
