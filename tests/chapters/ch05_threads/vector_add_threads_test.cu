#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/vector_add_threads.cu"
#undef main

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/vector_sum_check.h"

TEST_CASE("random vectors of awkward lengths") { course::check_vector_sum(vector_add, 1024); }

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "9 + 81 = 90\n10 sums, all verified\n"));
  for (const char* size : {"0", "1", "15", "16", "17", "1000", "1021", "1024"}) {
    const course::RunResult other = course::run_program({"--size", size});
    CHECK(other.exit_code == 0);
    CHECK(course::contains(other.out, course::count_of(atoll(size), "sum") + ", all verified\n"));
  }
}

TEST_CASE("bad options") {
  course::check_number_option("size");
  course::check_refused({"--size", "1025"}, "0 to 1024");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
