#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/dot_tiles.cu"
#undef main

#include "dot_program_check.h"

TEST_CASE("random vectors of awkward lengths, with every size of a tile") {
  course::check_dot_in_all_shapes(1);
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "33792 elements by 32 blocks of 256 elements"));
  for (const char* size : {"0", "1", "15", "16", "17", "1000", "1021", "1024"})
    CHECK(course::run_program({"--size", size}).exit_code == 0);
  for (const char* tile : {"1", "2", "64", "1024"})
    CHECK(course::run_program({"--tile", tile, "--blocks", "3"}).exit_code == 0);
}

TEST_CASE("figures") { course::check_dot_figures(); }

TEST_CASE("bad options") {
  course::check_number_option("tile");
  for (const char* tile : {"3", "100", "1023"})
    course::check_refused({"--tile", tile}, "--tile must be a power of two");
  for (const char* tile : {"0", "2048"})
    course::check_refused({"--tile", tile}, "--tile must be a whole number, 1 to 1024");
  course::check_refused({"--threads", "256"}, "there is no option");
}

TEST_CASE("a wrong result is noticed, a slightly wrong one, too") {
  course::check_damage_is_noticed({"--size", "1000"});
  course::check_damage_is_noticed({"--size", "1000"}, true);
}
