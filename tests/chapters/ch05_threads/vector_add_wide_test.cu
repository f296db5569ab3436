#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/vector_add_wide.cu"
#undef main

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"
#include "../../harness/vector_sum_check.h"

TEST_CASE("random vectors of awkward lengths, with all rests") {
  for (const int threads : {32, 33, 256, 1000, 1024})
    course::check_vector_sum(
        [&](const int* a, const int* b, int* c, int n) { vector_add(a, b, c, n, threads); });
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "3", "4", "1000", "1021", "1024"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, std::string(size) + " sums by "));
    CHECK(course::contains(result.out, "all verified\n"));
    CHECK(course::contains(result.out, "kernel ") == (std::string(size) != "0"));
  }
}

TEST_CASE("figures") {
  const course::RunResult result = course::run_program({"--size", "300001"});
  course::check_rate(result.out, "reads and writes ", 12e-6 * 300001, "kernel ");
}

TEST_CASE("bad options") {
  course::check_refused({"--size", "-1"}, "--size must be a whole number");
  course::check_refused({"--size", "1000000000000"}, "needs 12 TB on the device");
  course::check_refused({"--threads", "31"}, "32 to 1024");
  course::check_refused({"--threads", "1025"}, "32 to 1024");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1003"}); }
