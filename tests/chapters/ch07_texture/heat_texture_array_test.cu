#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch07_texture/heat_texture_array.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "heat_check.h"

TEST_CASE("temperatures are the reference's, for every number of steps") {
  course::check_heat(heat<DataBlock>);
}

TEST_CASE("frames go on where the last one ended") {
  course::check_heat_frames<DataBlock>(anim_gpu<DataBlock>);
}

TEST_CASE("the program") { course::check_heat_program("heat_texture_array"); }

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "32", "--steps", "3"});
}
