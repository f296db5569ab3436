// ripple_interop in a window.

#include "ripple_frames.h"

namespace {

const course::WindowCase kProgram = course::ripple_case("ch08_interop", "ripple_interop", 120);

}  // namespace

TEST_CASE("the window") { course::check_window(kProgram); }

TEST_CASE("the animation") { course::check_animation_window(kProgram); }
