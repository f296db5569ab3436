#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/vector_add_ceil.cu"
#undef main

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/vector_sum_check.h"

TEST_CASE("random vectors of awkward lengths") { course::check_vector_sum(vector_add); }

TEST_CASE("the number of blocks is rounded up") {
  CHECK(blocks_for(0) == 0);
  CHECK(blocks_for(1) == 1);
  CHECK(blocks_for(127) == 1);
  CHECK(blocks_for(128) == 1);
  CHECK(blocks_for(129) == 2);
  CHECK(blocks_for(2147483647) == 16777216);  // the index of the last threads exceeds an int
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "15", "16", "17", "1000", "1021", "1024", "1000003"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, course::count_of(atoll(size), "sum") + ", all verified\n"));
  }
  CHECK(course::contains(course::run_program({}).out,
                         "900 elements: 8 blocks of 128 threads, 124 threads without work"));
  CHECK(course::contains(course::run_program({"--size", "1"}).out, "1 element: 1 block of 128"));
}

TEST_CASE("bad options") {
  course::check_number_option("size");
  course::check_refused({"--size", "250000000000"}, "needs 3.0 TB on the device");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
