// heat_interop in a window.

#define main program_main
#include "../../../ch08_interop/heat_interop.cu"
#undef main

#include "heat_frames.h"

namespace {

constexpr int kSize = 64;
course::HeatFrames frames(kSize);

const course::WindowCase kProgram = {
    "heat_interop",
    {"--size", std::to_string(kSize), "--steps", "1"},
    kSize,
    [](const course::Picture& picture) { return frames.contain(picture); }};

}  // namespace

TEST_CASE("the frames to compare with are the reference's") {
  const std::vector<float> expected = heat_reference(kSize, 20);
  for (size_t i = 0; i < expected.size(); i++) {
    const uchar4 color = heat_color(expected[i]);
    CHECK(frames.frame(20)[4 * i] == color.x);
    CHECK(frames.frame(20)[4 * i + 1] == color.y);
    CHECK(frames.frame(20)[4 * i + 2] == color.z);
  }
}

TEST_CASE("the window") { course::check_window(kProgram); }

TEST_CASE("the animation") { course::check_animation_window(kProgram); }
