#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/ripple.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("frames of awkward sizes are as the CPU draws them") {
  for (int size : {0, 1, 15, 16, 17, 1000, 1021, 1024})
    for (int ticks : {0, 1, 1000}) {
      const std::vector<unsigned char> rgba = ripple_frame(size, ticks);
      const std::vector<unsigned char> expected = ripple_reference(size, ticks);
      REQUIRE(rgba.size() == expected.size());
      const course::PictureDifference difference =
          course::compare_pictures(rgba.data(), expected.data(), expected.size() / 4);
      CHECK_MESSAGE(difference.largest <= 1, size);
    }
}

TEST_CASE("the formula: a crest in the middle at time 0, and a round wave") {
  CHECK(ripple_gray(50, 50, 100, 0) == 255);
  for (int ticks : {0, 5, 30})
    for (int d : {1, 7, 40}) {
      CHECK(ripple_gray(50 + d, 50, 100, ticks) == ripple_gray(50 - d, 50, 100, ticks));
      CHECK(ripple_gray(50 + d, 50, 100, ticks) == ripple_gray(50, 50 + d, 100, ticks));
    }
  CHECK(ripple_gray(50, 50, 100, 22) < 30);  // half a period (7 * pi ticks) later: a trough
}

TEST_CASE("pixels by hand") {
  // 128 + 127 * cos(distance / 10 - ticks / 7) / (distance / 10 + 1)
  const struct {
    int dx, dy, ticks;
    double gray;
  } pixels[] = {{0, 0, 0, 255},       {10, 0, 0, 162.31}, {3, 4, 7, 202.30},   {0, -30, 14, 145.15},
                {40, 30, 0, 134.004}, {6, 8, 35, 86.49},  {-20, 21, 3, 102.48}};
  for (const auto& pixel : pixels) {
    INFO(pixel.dx << ", " << pixel.dy << " at " << pixel.ticks);
    CHECK(std::abs(ripple_gray(50 + pixel.dx, 50 + pixel.dy, 100, pixel.ticks) - pixel.gray) <= 1);
    // The middle of an odd size is rounded down.
    CHECK(ripple_gray(48 + pixel.dx, 48 + pixel.dy, 97, pixel.ticks) ==
          ripple_gray(50 + pixel.dx, 50 + pixel.dy, 100, pixel.ticks));
    // The same in a frame, whose rows are y.
    const std::vector<unsigned char> frame = ripple_frame(101, pixel.ticks);
    const unsigned char* const rgba = &frame[4 * (50 + pixel.dx + 101 * (50 + pixel.dy))];
    for (int channel : {0, 1, 2}) CHECK(std::abs(rgba[channel] - pixel.gray) <= 1);
    CHECK(rgba[3] == 255);
  }
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  const course::RunResult result =
      course::run_program({"--size", "97", "--frames", "3", "--save", "r.webp"}, options);
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "saved r.webp (97 x 97, 3 frames)"));
  CHECK(result.err == "");
  const course::RunResult other =
      course::run_program({"--size", "1", "--frames", "2", "--save", "r.png"}, options);
  CHECK(other.exit_code == 0);
  CHECK(course::contains(other.out, "saved r.png (1 x 1, frame 2)"));
  CHECK(folder.names() == std::vector<std::string>{"r.png", "r.webp"});
  course::check_number_option("size");
  course::check_number_option("frames");
  course::check_save_option();
  course::check_refused({"--size", "0"}, "--size must be");
  course::check_refused({"--size", "17000"});  // larger than a frame of a WebP file
  course::check_refused({"--size", "20000", "--save", "x.gif"}, ".webp");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
