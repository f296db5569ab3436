// ripple_mouse in a window: the waves' center follows the mouse.

#define main program_main
#include "../ch08_interop/ripple_mouse.cu"
#undef main

#include "window_check.h"

namespace {

constexpr int kSize = 120;

// Whether the picture shows waves at some time from where center(ticks) says.
template <typename Center>
bool shows_waves(const course::Picture& picture, const Center& center) {
  if (picture.empty()) return false;
  for (int ticks = 1; ticks < 20000; ticks++) {
    DataBlock block;
    block.size = kSize;
    center(&block, ticks);
    const uchar4 corner = ripple_color(-block.center_x, -block.center_y, ticks);
    if (std::abs(corner.x - picture[0]) > 2) continue;
    if (course::same_picture(picture,
                             ripple_reference(kSize, block.center_x, block.center_y, ticks)))
      return true;
  }
  return false;
}

// What is shown while nobody drags, and once somebody has dragged to (x, y) from the lower left.
course::WindowCase circling() {
  return {
      "ripple_mouse", {"--size", std::to_string(kSize)}, kSize, [](const course::Picture& picture) {
        return shows_waves(picture, run_in_circle);
      }};
}
course::WindowCase centered(int x, int y) {
  course::WindowCase program = circling();
  program.draws = [=](const course::Picture& picture) {
    return shows_waves(picture, [=](DataBlock* block, int) {
      block->center_x = x;
      block->center_y = y;
    });
  };
  return program;
}

}  // namespace

TEST_CASE("the window") { course::check_window(circling()); }

TEST_CASE("the animation") { course::check_animation_window(circling()); }

TEST_CASE("the mouse") {
  const course::XServer server;
  course::WindowedProgram run(circling().command(), server, course::window_options());
  const course::XWindow window = run.window();
  course::check_shown(circling(), window);

  window.move_mouse(30, 40);  // from the top: row 79 from the bottom
  window.press_button(3);     // not the button that drags
  window.release_button(3);
  course::check_shown(circling(), window);
  window.press_button();
  course::check_shown(centered(30, 79), window);
  window.move_mouse(90, 70);
  course::check_shown(centered(90, 49), window);  // it follows while the button is pressed
  window.release_button();
  window.move_mouse(10, 10);
  usleep(200000);
  course::check_shown(centered(90, 49), window);  // and stays then

  window.resize(3 * kSize, 2 * kSize);  // zoomed by 2, with a margin of 60 on the left
  course::check_shown(centered(90, 49), window);
  window.move_mouse(60 + 2 * 20, 2 * 100);
  window.press_button();
  window.release_button();
  course::check_shown(centered(20, 19), window);

  window.press("Escape");
  const course::RunResult result = run.result();
  CHECK(result.exit_code == 0);
  course::check_quiet(result.err);
}
