// interop_basic in a window.

#define main program_main
#include "../../../ch08_interop/interop_basic.cu"
#undef main

#include "../../harness/window_check.h"

TEST_CASE("the window") {
  const std::vector<unsigned char> expected = stripes_reference(200);
  course::check_window(
      {"interop_basic", {"--size", "200"}, 200, [&](const course::Picture& picture) {
         return course::same_picture(picture, expected);
       }});
}
