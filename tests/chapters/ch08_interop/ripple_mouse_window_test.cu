// ripple_mouse in a window: the waves' center follows the mouse.

#define main program_main
#include "../../../ch08_interop/ripple_mouse.cu"
#undef main

#include "ripple_frames.h"

namespace {

constexpr int kSize = 120;

// What is shown while nobody drags, and once somebody has dragged to (x, y) from the lower left.
course::WindowCase circling() {
  course::WindowCase program = course::ripple_case("ch08_interop", "ripple_mouse", kSize);
  program.draws = [](const course::Picture& picture) {
    return course::shows_waves(picture, kSize, [](int ticks) {
      DataBlock block;
      block.size = kSize;
      run_in_circle(&block, ticks);
      return std::pair<int, int>{block.center_x, block.center_y};
    });
  };
  return program;
}
course::WindowCase centered(int x, int y) {
  course::WindowCase program = circling();
  program.draws = [=](const course::Picture& picture) {
    return course::shows_waves(picture, kSize, [=](int) { return std::pair<int, int>{x, y}; });
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
