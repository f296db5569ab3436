#include "watch_calls.h"

#define main program_main
#include "../ch10_streams/stream_single.cu"
#undef main

#include "streams_check.h"

TEST_CASE("awkward sizes and chunks") { check_averages(average_in_one_stream, 1); }

TEST_CASE("the program") { check_stream_program(); }
