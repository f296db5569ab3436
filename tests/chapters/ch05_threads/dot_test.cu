#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/dot.cu"
#undef main

#include "dot_program_check.h"

TEST_CASE("random vectors of awkward lengths, with every number of threads") {
  course::check_dot_in_all_shapes(1);
}

TEST_CASE("no more blocks than there is work for") {
  CHECK(blocks_for(1, 256, 32) == 1);
  CHECK(blocks_for(256, 256, 32) == 1);
  CHECK(blocks_for(257, 256, 32) == 2);
  CHECK(blocks_for(33 * 1024, 256, 32) == 32);
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "33792 elements by 32 blocks of 256 threads"));
  CHECK(course::contains(result.out, "by the formula: 2.57235647e+13"));
  for (const char* size : {"0", "1", "15", "16", "17", "1000", "1021", "1024"})
    CHECK(course::run_program({"--size", size}).exit_code == 0);
  for (const char* threads : {"1", "2", "64", "1024"})
    CHECK(course::run_program({"--threads", threads, "--blocks", "3"}).exit_code == 0);
}

TEST_CASE("figures") { course::check_dot_figures(); }

TEST_CASE("bad options") {
  course::check_dot_options({"3", "100", "1023"}, "--threads must be a power of two");
  course::check_refused({"--size", "1000000000000"}, "needs 8.0 TB on the device");
  for (const char* threads : {"0", "2048"})
    course::check_refused({"--threads", threads}, "--threads must be a whole number, 1 to 1024");
}

TEST_CASE("a wrong result is noticed, a slightly wrong one, too") {
  course::check_damage_is_noticed({"--size", "1000"});
  course::check_damage_is_noticed({"--size", "1000"}, true);
}

TEST_CASE("the longest chain of additions") {
  CHECK(additions(1000, 256, 32) == 1 + 8);     // a product for each of 1024 threads
  CHECK(additions(100000, 256, 32) == 13 + 8);  // 8192 threads
}
