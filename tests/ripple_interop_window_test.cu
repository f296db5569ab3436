// ripple_interop in a window.

#include "../ch08_interop/ripple.h"
#include "../common/window.h"
#include "window_check.h"

namespace {

constexpr int kSize = 120;

// Whether this is a frame of the animation, whichever: time goes on while we look.
bool is_frame(const course::Picture& picture) {
  for (int ticks = 1; ticks < 20000; ticks++) {
    const uchar4 middle = ripple_color(0, 0, ticks);
    if (picture.empty() ||
        std::abs(middle.x - picture[4 * (kSize / 2 + size_t(kSize) * (kSize / 2))]) > 2)
      continue;
    if (course::same_picture(picture, ripple_reference(kSize, kSize / 2, kSize / 2, ticks)))
      return true;
  }
  return false;
}

const course::WindowCase kProgram = {
    "ripple_interop", {"--size", std::to_string(kSize)}, kSize, is_frame};

}  // namespace

TEST_CASE("the window") { course::check_window(kProgram); }

TEST_CASE("the animation") { course::check_animation_window(kProgram); }
