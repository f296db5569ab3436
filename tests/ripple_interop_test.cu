#define main program_main
#include "../ch08_interop/ripple_interop.cu"
#undef main

#include "interop_check.h"

TEST_CASE("frames of awkward sizes are as the CPU draws them") {
  for (int size : {1, 15, 16, 17, 1000, 1021, 1024}) {
    GPUAnimBitmap bitmap(size, size);
    for (int ticks : {0, 1, 1000}) {
      const std::vector<unsigned char> rgba = bitmap.read_frame(generate_frame, &size, ticks);
      const std::vector<unsigned char> expected = ripple_reference(size, size / 2, size / 2, ticks);
      REQUIRE(rgba.size() == expected.size());
      CHECK(course::compare_pictures(rgba.data(), expected.data(), rgba.size() / 4).largest <= 2);
    }
  }
}

TEST_CASE("the program") { course::check_interop_animation("ripple_interop"); }
