#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/dot_single_thread.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "dot_check.h"

TEST_CASE("random vectors of awkward lengths") {
  for (int threads : {1, 2, 3, 100, 256, 1024})
    for (int blocks : {1, 5, 32})
      course::check_dot(
          [&](const float* a, const float* b, size_t n) { return dot(a, b, n, threads, blocks); },
          [&](size_t n) { return additions(n, threads, blocks); });
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "15", "16", "17", "1000", "1021", "1024", "33792"})
    CHECK(course::run_program({"--size", size}).exit_code == 0);
  CHECK(course::run_program({"--threads", "100"}).exit_code == 0);  // any number will do
}

TEST_CASE("figures") { course::check_dot_figures(); }

TEST_CASE("bad options") {
  course::check_number_option("threads");
  course::check_number_option("blocks");
  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--threads", "1025"}, "1 to 1024");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
