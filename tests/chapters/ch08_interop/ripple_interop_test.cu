#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch08_interop/ripple_interop.cu"
#undef main

#include "../../harness/damaged_run.h"
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

TEST_CASE("pixels by hand") {
  // 128 + 127 * cos(distance / 10 - ticks / 7) / (distance / 10 + 1)
  const struct {
    int dx, dy, ticks;
    double gray;
  } pixels[] = {{0, 0, 0, 255},       {10, 0, 0, 162.31}, {3, 4, 7, 202.30},   {0, -30, 14, 145.15},
                {40, 30, 0, 134.004}, {6, 8, 35, 86.49},  {-20, 21, 3, 102.48}};
  int size = 101;
  GPUAnimBitmap bitmap(size, size);
  for (const auto& pixel : pixels) {
    INFO(pixel.dx << ", " << pixel.dy << " at " << pixel.ticks);
    const uchar4 color = ripple_color(pixel.dx, pixel.dy, pixel.ticks);
    const std::vector<unsigned char> frame = bitmap.read_frame(generate_frame, &size, pixel.ticks);
    const unsigned char* const rgba = &frame[4 * (50 + pixel.dx + size * (50 + pixel.dy))];
    CHECK(std::abs(color.x - pixel.gray) <= 1);
    CHECK((color.y == color.x && color.z == color.x && color.w == 255));
    for (int channel : {0, 1, 2}) CHECK(std::abs(rgba[channel] - pixel.gray) <= 1);
    CHECK(rgba[3] == 255);
  }
}

TEST_CASE("the program") { course::check_interop_animation("ripple_interop"); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
