#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/vector_add_stride.cu"
#undef main

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"
#include "../../harness/vector_sum_check.h"

TEST_CASE("random vectors of awkward lengths, with too many and too few threads") {
  const struct {
    int blocks, threads;
  } grids[] = {{128, 128}, {1, 1}, {1, 1024}, {7, 33}, {1000, 1}};
  for (const auto& grid : grids)
    course::check_vector_sum([&](const int* a, const int* b, int* c, int n) {
      vector_add(a, b, c, n, grid.blocks, grid.threads);
    });
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "15", "16", "17", "1000", "1021", "1024"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out,
                           course::count_of(atoll(size), "sum") + " by 128 blocks of 128 threads"));
    CHECK(course::contains(result.out, "all verified\n"));
    CHECK(course::contains(result.out, "kernel ") == (std::string(size) != "0"));
    CHECK(result.err == "");  // the CPU device notes launches that nobody waits for
  }
  const course::RunResult other =
      course::run_program({"--size", "1000003", "--blocks", "3", "--threads", "5"});
  CHECK(other.exit_code == 0);
  CHECK(course::contains(other.out, "1000003 sums by 3 blocks of 5 threads"));
  course::check_rate(other.out, "reads and writes ", 12e-6 * 1000003, "kernel ");
}

TEST_CASE("bad options") {
  for (const char* option : {"size", "blocks", "threads"}) {
    if (std::string(option) != "size") course::check_number_option(option);
    course::check_refused({std::string("--") + option, "-1"}, "must be a whole number");
  }
  course::check_refused({"--size", "12abc"}, "--size must be a whole number");
  course::check_refused({"--size", "1000000000000"}, "needs 12 TB on the device");
  course::check_refused({"--blocks", "0"}, "1 to 65536");
  course::check_refused({"--threads", "1025"}, "1 to 1024");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
