#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/shared_bitmap.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("pictures of awkward sizes are as the CPU draws them") {
  for (int size : {0, 1, 15, 16, 17, 1000, 1021, 1024}) {
    const size_t bytes = 4 * size_t(size) * size;
    std::vector<unsigned char> rgba(bytes + 1, 77);
    shared_bitmap(rgba.data(), size);
    const course::PictureDifference difference =
        course::compare_pictures(rgba.data(), shared_bitmap_reference(size).data(), bytes / 4);
    CHECK_MESSAGE(difference.largest <= 2, size);
    CHECK(rgba[bytes] == 77);
  }
}

TEST_CASE("the reference shows the opposite pixel of the tile") {
  const std::vector<unsigned char> rgba = shared_bitmap_reference(32);
  const auto green = [&](int x, int y) { return rgba[4 * (x + 32 * y) + 1]; };
  CHECK(green(0, 0) == static_cast<unsigned char>(spot(15, 15)));
  CHECK(green(31, 16) == static_cast<unsigned char>(spot(16, 31)));
  CHECK(spot(32, 32) == doctest::Approx(255));  // a quarter of a period: both sines are 1
  CHECK(spot(96, 5) == doctest::Approx(0));
}

TEST_CASE("brightness by hand") {
  // 255 / 4 * (sin(2 pi x / 128) + 1) * (sin(2 pi y / 128) + 1)
  CHECK(spot(0, 0) == doctest::Approx(63.75));
  CHECK(spot(16, 0) == doctest::Approx(108.828));
  CHECK(spot(0, 16) == doctest::Approx(108.828));
  CHECK(spot(32, 0) == doctest::Approx(127.5));
  CHECK(spot(64, 16) == doctest::Approx(108.828));
  CHECK(spot(48, 100) == doctest::Approx(2.0911));
  CHECK(spot(7, 55) == doctest::Approx(121.66585));
  CHECK(spot(32 + 128, 32 + 256) == doctest::Approx(255));
  // In the picture, mirrored in its tile: (16, 0) is drawn where (31, 15) is.
  std::vector<unsigned char> rgba(4 * 64 * 64);
  shared_bitmap(rgba.data(), 64);
  const auto green = [&](int x, int y) { return rgba[4 * (x + 64 * y) + 1]; };
  CHECK(std::abs(green(31, 15) - 108) <= 1);
  CHECK(std::abs(green(15, 31) - 108) <= 1);
  CHECK(std::abs(green(15, 15) - 63) <= 1);
  CHECK(std::abs(green(47, 47) - 255) <= 1);
  CHECK(rgba[4 * 5] == 0);
  CHECK(rgba[4 * 5 + 2] == 0);
  CHECK(rgba[4 * 5 + 3] == 255);
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  const course::RunResult result =
      course::run_program({"--size", "97", "--save", "s.png"}, options);
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "saved s.png (97 x 97)"));
  course::check_number_option("size");
  course::check_save_option();
  course::check_refused({"--size", "0"}, "--size must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
