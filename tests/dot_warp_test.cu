#include "watch_calls.h"

#define main program_main
#include "../ch05_threads/dot_warp.cu"
#undef main

#include "damaged_run.h"
#include "dot_check.h"

TEST_CASE("random vectors of awkward lengths, with every number of threads") {
  for (int threads = 1; threads <= kMaxThreads; threads *= 2)
    for (int blocks : {1, 5, 32})
      course::check_dot(
          [&](const float* a, const float* b, size_t n) { return dot(a, b, n, threads, blocks); },
          [&](size_t n) { return additions(n, threads, blocks); });
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "31", "1000", "1021", "1024", "33792"})
    CHECK(course::run_program({"--size", size}).exit_code == 0);
  for (const char* threads : {"32", "64", "1024"})
    CHECK(course::run_program({"--threads", threads, "--blocks", "3"}).exit_code == 0);
}

TEST_CASE("figures") { course::check_dot_figures(); }

TEST_CASE("bad options") {
  course::check_number_option("threads");
  course::check_number_option("blocks");
  course::check_refused({"--size", "-1"}, "--size must be");
  for (const char* threads : {"3", "100", "1023"})
    course::check_refused({"--threads", threads}, "--threads must be a power of two");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
