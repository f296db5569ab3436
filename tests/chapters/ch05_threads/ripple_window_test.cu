// The ripple of chapter 5 in a window.

#include "../ch08_interop/ripple_frames.h"

TEST_CASE("the window") {
  course::check_host_animation(course::ripple_case("ch05_threads", "ripple", 120));
}
