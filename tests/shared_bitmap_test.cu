#define main program_main
#include "../ch05_threads/shared_bitmap.cu"
#undef main

#include <doctest/doctest.h>

#include "bad_input.h"

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
