// What the tests of all programs that draw the Julia set check. Included after the program, whose
// View it uses.
#pragma once

#include <doctest/doctest.h>

#include <complex>
#include <string>
#include <vector>

#include "../../harness/bad_input.h"
#include "../../harness/figures.h"

// The set as a textbook would compute it: std::complex, in double.
inline bool in_set_by_the_textbook(int x, int y, const View& view) {
  const double half = view.size / 2.0;
  std::complex<double> z(view.scale * (half - x) / half, view.scale * (half - y) / half);
  const std::complex<double> c(view.c.re, view.c.im);
  for (int step = 0; step < 200; step++) {
    z = z * z + c;
    if (std::norm(z) > 1000) return false;
  }
  return true;
}

// The picture is red in the textbook's set and black outside, but for half a percent of the pixels:
// near the edge, rounding decides.
inline void check_against_the_textbook(const View& view, const std::vector<unsigned char>& rgba) {
  const size_t pixels = static_cast<size_t>(view.size) * view.size;
  REQUIRE(rgba.size() == 4 * pixels);
  size_t differing = 0, inside = 0, of_other_color = 0;
  for (int y = 0; y < view.size; y++)
    for (int x = 0; x < view.size; x++) {
      const unsigned char* pixel = &rgba[4 * (x + static_cast<size_t>(y) * view.size)];
      differing += (pixel[0] == 255) != in_set_by_the_textbook(x, y, view);
      inside += pixel[0] == 255;
      of_other_color +=
          (pixel[0] != 0 && pixel[0] != 255) || pixel[1] != 0 || pixel[2] != 0 || pixel[3] != 255;
    }
  CHECK(inside > 0);
  CHECK(differing <= pixels / 200);
  CHECK(of_other_color == 0);
}

TEST_CASE("200 steps, and a square of 1000") {
  // With c a little above 1/4, z creeps past 1/2 along the real axis and is gone after about
  // pi / sqrt(c - 1/4) steps: the constants decide in which step |z| squared is how large.
  const auto in_set = [](float c) { return in_julia_set(50, 50, View{100, 1, {c, 0}}); };
  CHECK_FALSE(in_set(0.2502600f));  // beyond 1000 in step 195
  CHECK_FALSE(in_set(0.2502473f));  // 10700 after step 200
  CHECK_FALSE(in_set(0.2502465f));  // 1650
  CHECK(in_set(0.2502459f));        // 520
  CHECK(in_set(0.2502449f));        // 110
  CHECK(in_set(0.2502300f));        // beyond 1000 in step 207
}

TEST_CASE("where a pixel lies: x to the left, y down, the scale at the border") {
  // With c = 0 the set is the disk of radius 1: 50 pixels of 100 for scale 2, minus the border.
  const auto in_set = [](int x, int y, Complex c) { return in_julia_set(x, y, {200, 2, c}); };
  CHECK(in_set(51, 100, {0, 0}));
  CHECK_FALSE(in_set(49, 100, {0, 0}));
  CHECK(in_set(100, 149, {0, 0}));
  CHECK_FALSE(in_set(100, 151, {0, 0}));
  // A constant whose picture is not symmetric left to right, at points that are far from its edge.
  int differing = 0, mirrored = 0;
  const View view{100, 1.2f, {-0.4f, 0.6f}};
  for (int y = 1; y < 100; y++)
    for (int x = 1; x < 100; x++) {
      differing += in_julia_set(x, y, view) != in_set_by_the_textbook(x, y, view);
      mirrored += in_julia_set(x, y, view) != in_set_by_the_textbook(100 - x, y, view);
    }
  CHECK(differing < 50);
  CHECK(mirrored > 100);
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  const std::string path = course::program_path();
  const std::string picture = path.substr(path.rfind('/') + 1) + ".png";
  const course::RunResult result = course::run_program({"--size", "97"}, options);
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "saved " + picture + " (97 x 97)"));
  CHECK(folder.names() == std::vector<std::string>{picture});
  // The first way on the device compared with one core.
  const size_t one_core = result.out.find("one core of the CPU");
  if (one_core != std::string::npos) {
    const std::string row = result.out.substr(result.out.find('\n', one_core) + 21);
    CHECK_MESSAGE(course::is_quotient(course::printed_after(row, " ms, "), 1,
                                      course::printed_after(result.out, "one core of the CPU"),
                                      course::printed_after("#" + row, "#")),
                  result.out);
    // End to end is an allocation, the kernel and the copy.
    CHECK_MESSAGE(course::printed_after(row, "copy ").low < course::printed_after(row, "end to end ").high, result.out);
  }
  const course::RunResult other = course::run_program(
      {"--size", "1", "--scale", "2", "--re", "-0.4", "--im", "0.6", "--save", "a b.png"}, options);
  CHECK(other.exit_code == 0);
  CHECK(course::contains(other.out, "saved a b.png (1 x 1)"));
  CHECK(folder.names() == std::vector<std::string>{"a b.png", picture});
}

TEST_CASE("Ctrl-C in the middle leaves nothing behind") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  options.interrupt_after_s = 0.3;
  const course::RunResult result = course::run_program({"--size", "10000"}, options);
  CHECK(result.signalled);
  CHECK(result.signal == SIGINT);
  CHECK(folder.names().empty());
}

TEST_CASE("bad options") {
  course::check_number_option("size");
  course::check_save_option();
  for (const char* size : {"0", "-1", "65536"}) course::check_refused({"--size", size}, "--size");
  for (const char* bad : {"0", "-1", "nan", "inf", "abc", "1e300", ""})
    course::check_refused({"--scale", bad}, "--scale must be a number");
  for (const char* bad : {"3", "-2.1", "nan", "0.1x"}) {
    course::check_refused({"--re", bad}, "--re must be a number");
    course::check_refused({"--im", bad}, "--im must be a number");
  }
}
