// The heat programs of chapter 7 in a window.

#define main program_main
#include "../../../ch07_texture/heat_global.cu"
#undef main

#include "../ch08_interop/heat_frames.h"

TEST_CASE("the windows") {
  constexpr int kSize = 64;
  course::HeatFrames frames(kSize);
  for (const char* name : {"heat_global", "heat_texture_1d", "heat_texture_2d"}) {
    INFO(name);
    course::check_host_animation(
        {name,
         {"--size", std::to_string(kSize), "--steps", "1"},
         kSize,
         [&](const course::Picture& picture) { return frames.contain(picture); },
         "ch07_texture"});
  }
}
