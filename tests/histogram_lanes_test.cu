#define main program_main
#include "../ch09_atomics/histogram_lanes.cu"
#undef main

#include "histogram_check.h"

TEST_CASE("awkward sizes, bins, launches and data") { check_histogram(1024); }

TEST_CASE("the program") { check_histogram_program(); }
