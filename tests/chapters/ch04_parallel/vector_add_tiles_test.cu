#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch04_parallel/vector_add_tiles.cu"
#undef main

#include <stdlib.h>

#include "../../harness/damaged_run.h"
#include "vector_add_check.h"

void add_vectors(const int* a, const int* b, int* c, int n) { vector_add(a, b, c, n); }

TEST_CASE("the time of the kernel") {
  const course::RunResult result = course::run_program({"--size", "100000", "--time"});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "\nkernel "));
  CHECK(course::contains(result.out, "GB/s\n"));
  CHECK(course::run_program({"--size", "0", "--time"}).out == "0 sums, all verified\n");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
