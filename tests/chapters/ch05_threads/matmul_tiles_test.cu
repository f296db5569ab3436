#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/matmul_tiles.cu"
#undef main

#include "matmul_check.h"

TEST_CASE("awkward sizes") {
  check_ways(kWays, kAwkward);
  check_ways(kWays, {{1000, 3, 4097}, {257, 257, 257}});
}

TEST_CASE("numbers that are rounded") {
  for (const Way& way : kWays) CHECK(verify_error(way, {40, 50, 60}));
}

TEST_CASE("the program") { check_matmul_program(); }

TEST_CASE("a wrong result is noticed") { check_damage(); }
