#include "watch_calls.h"

#define main program_main
#include "../ch10_streams/stream_breadth_first.cu"
#undef main

#include "streams_check.h"

TEST_CASE("awkward sizes and chunks") { check_averages(average_breadth_first, 2); }

TEST_CASE("the program") { check_stream_program(); }
