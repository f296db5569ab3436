#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch07_texture/heat_texture_1d.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "heat_check.h"

TEST_CASE("temperatures are the reference's, for every number of steps") {
  course::check_heat(heat<DataBlock>);
}

TEST_CASE("frames go on where the last one ended") {
  course::check_heat_frames<DataBlock>(anim_gpu<DataBlock>);
}

TEST_CASE("the program") { course::check_heat_program("heat_texture_1d"); }

TEST_CASE("a plate that no texture holds is refused") {
  // 2^28 elements on most devices, 2^27 on old ones.
  course::check_refused({"--size", "20000"}, "a 1-D texture holds");
  // The largest plate that fits is not, even if it fills the texture: this would end the program.
  int elements = 0;
  HANDLE_ERROR(cudaDeviceGetAttribute(&elements, cudaDevAttrMaxTexture1DLinearWidth, 0));
  int largest = 1;
  while (size_t(largest + 1) * (largest + 1) <= size_t(elements)) largest++;
  for (int size : {1, largest - 1, largest}) require_texture(size);
  course::check_refused({"--size", std::to_string(largest + 1)}, "a 1-D texture holds");
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "32", "--steps", "3"});
}
