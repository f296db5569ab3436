#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch08_interop/ripple_mouse.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "interop_check.h"

TEST_CASE("the waves come from where the mouse is") {
  DataBlock block;
  block.size = 100;
  GPUAnimBitmap bitmap(100, 100);
  for (const auto& [x, y] : {std::pair<int, int>{0, 0}, {99, 99}, {10, 70}, {-50, 300}}) {
    move_center(&block, 3, 4, x, y);
    const std::vector<unsigned char> rgba = bitmap.read_frame(generate_frame, &block, 9);
    const std::vector<unsigned char> expected = ripple_reference(100, x, 99 - y, 9);
    CHECK(course::compare_pictures(rgba.data(), expected.data(), rgba.size() / 4).largest <= 2);
  }
}

TEST_CASE("until then they run in a circle around the middle") {
  DataBlock block;
  block.size = 1000;
  for (int ticks = 0; ticks < 200; ticks++) {
    run_in_circle(&block, ticks);
    CHECK(std::hypot(block.center_x - 500, block.center_y - 500) ==
          doctest::Approx(250).epsilon(0.01));
  }
  // From the right, counterclockwise, a turn in 28 pi ticks: after 22 of 88, at the top.
  run_in_circle(&block, 0);
  CHECK((block.center_x == 750 && block.center_y == 500));
  run_in_circle(&block, 22);
  CHECK((std::abs(block.center_x - 500) < 3 && block.center_y == 750));
}

TEST_CASE("the program") { course::check_interop_animation("ripple_mouse"); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
