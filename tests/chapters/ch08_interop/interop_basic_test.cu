#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch08_interop/interop_basic.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "interop_check.h"

TEST_CASE("pictures of awkward sizes are as the CPU draws them") {
  for (int size : {0, 1, 15, 16, 17, 1000, 1021, 1024}) {
    const std::vector<unsigned char> rgba = stripes(size), expected = stripes_reference(size);
    REQUIRE(rgba.size() == expected.size());
    CHECK(course::compare_pictures(rgba.data(), expected.data(), rgba.size() / 4).largest <= 2);
  }
}

TEST_CASE("the stripes: symmetric, green, and as bright as can be where the sine is 1") {
  for (int x : {1, 20, 63})
    for (int y : {1, 7, 40}) {
      const uchar4 color = stripe_color(x, y, 128);
      CHECK(color.x == 0);
      CHECK(color.z == 0);
      CHECK(color.w == 255);
      CHECK(color.y == stripe_color(128 - x, y, 128).y);
      CHECK(color.y == stripe_color(x, 128 - y, 128).y);
    }
  CHECK(stripe_color(64, 64, 128).y == 128);
}

TEST_CASE("stripes by hand") {
  // 128 + 127 * sin(|x / size - 1/2| * 100 - |y / size - 1/2| * 100)
  const auto green = [](int x, int y, int size) { return int(stripe_color(x, y, size).y); };
  CHECK(green(50, 50, 100) == 128);
  CHECK(std::abs(green(51, 50, 100) - 234) <= 1);  // sin(1)
  CHECK(std::abs(green(50, 52, 100) - 12) <= 1);   // sin(-2)
  CHECK(std::abs(green(0, 0, 100) - 128) <= 1);
  CHECK(std::abs(green(0, 50, 100) - 94) <= 1);      // sin(50)
  CHECK(std::abs(green(128, 150, 200) - 254) <= 1);  // sin(14 - 25)
  CHECK(std::abs(green(40, 100, 200) - 2) <= 1);     // sin(30)
  const std::vector<unsigned char> picture = stripes(100);
  CHECK(std::abs(picture[4 * (50 + 100 * 52) + 1] - 12) <= 1);
  CHECK(std::abs(picture[4 * (51 + 100 * 50) + 1] - 234) <= 1);
}

TEST_CASE("the program") { course::check_interop_program("interop_basic", {}, ".png"); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
