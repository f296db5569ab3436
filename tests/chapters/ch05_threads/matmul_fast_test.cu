#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/matmul_fast.cu"
#undef main

#include "matmul_check.h"

TEST_CASE("awkward sizes") { check_ways(kWays, kAwkward); }

TEST_CASE("the program") { check_matmul_program(); }

TEST_CASE("a wrong result is noticed") { check_damage(); }
