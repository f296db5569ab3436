#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch10_streams/stream_depth_first.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "streams_check.h"

TEST_CASE("awkward sizes and chunks") { check_averages(average_depth_first, 2); }

TEST_CASE("the program") { check_stream_program(); }

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "1000", "--chunk", "1024"});
}
