// What the heat programs of chapter 7 must compute and draw, for their tests.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "../../../common/lessons/heat.h"
#include "../../harness/bad_input.h"
#include "../../harness/figures.h"

namespace course {

// The temperatures as a textbook would compute them, in double.
inline std::vector<double> heat_by_the_textbook(int size, int steps) {
  const std::vector<float> heaters = make_heaters(size), start = start_temperatures(size);
  std::vector<double> now(start.begin(), start.end());
  const auto at = [size](const std::vector<double>& t, int x, int y) {
    x = std::clamp(x, 0, size - 1);
    y = std::clamp(y, 0, size - 1);
    return t[x + size_t(y) * size];
  };
  for (int step = 0; step < steps; step++) {
    for (size_t i = 0; i < now.size(); i++)
      if (heaters[i] != 0) now[i] = heaters[i];
    std::vector<double> next(now.size());
    for (int y = 0; y < size; y++)
      for (int x = 0; x < size; x++)
        next[x + size_t(y) * size] =
            at(now, x, y) + 0.25 * (at(now, x - 1, y) + at(now, x + 1, y) + at(now, x, y - 1) +
                                    at(now, x, y + 1) - 4 * at(now, x, y));
    now = next;
  }
  return now;
}

// heat(size, steps) must give the reference's temperatures, for odd and even numbers of steps.
inline void check_heat(const std::function<std::vector<float>(int, int)>& heat) {
  for (int size : {0, 1, 2, 15, 16, 17, 100, 257})
    for (int steps : {0, 1, 2, 3, 7, 90, 91}) {
      INFO(size << " cells, " << steps << " steps");
      const std::vector<float> result = heat(size, steps), expected = heat_reference(size, steps);
      REQUIRE(result.size() == size_t(size) * size);
      CHECK(compare("heat", result.data(), expected.data(), result.size(), 0, heat_tolerance(steps))
                .message == "");
    }
  for (int size : {1000, 1021, 1024}) {
    const std::vector<float> result = heat(size, 5), expected = heat_reference(size, 5);
    CHECK(compare("heat", result.data(), expected.data(), result.size(), 0, heat_tolerance(5))
              .message == "");
  }
}

// Frames go on where the last one ended, for odd numbers of steps, too.
template <typename DataBlock>
void check_heat_frames(void (*anim_gpu)(void*, int)) {
  for (int steps : {0, 1, 2, 3, 11, 20}) {
    DataBlock d;
    d.size = 33;
    d.steps = steps;
    create(&d);
    CPUAnimBitmap bitmap(33, 33, &d);
    d.bitmap = &bitmap;
    for (int frame = 1; frame <= 4; frame++) {
      anim_gpu(&d, frame);
      const std::vector<unsigned char> expected = heat_picture(heat_reference(33, frame * steps));
      CHECK(compare_pictures(bitmap.get_ptr(), expected.data(), 33 * 33).largest <= 2);
    }
    CHECK(d.frames == 4);
    destroy(&d);
  }
}

// The program `name`: its picture against the CPU's, and its options.
inline void check_heat_program(const std::string& name) {
  TemporaryFolder folder;
  RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  // One step per frame, the book's exercise, which froze its texture versions.
  const RunResult result = run_program({"--size", "97", "--steps", "1", "--frames", "2"}, options);
  CHECK(result.exit_code == 0);
  CHECK_MESSAGE(contains(result.out, "97 x 97 cells on "), result.out);
  CHECK(contains(result.out, "1 step verified"));
  CHECK(contains(result.out, "saved " + name + ".webp (97 x 97, 2 frames)"));
  CHECK(contains(result.out, "Average Time per frame: "));
  // Its figures: microseconds per step, and 8 bytes per cell and step.
  const RunResult timed =
      run_program({"--size", "300", "--steps", "10", "--frames", "1", "--save", "h.png"}, options);
  const Printed ms = printed_after(timed.out, "a frame of 10 steps: kernels ");
  CHECK_MESSAGE(is_quotient(printed_after(timed.out, " ms, "), 1e3, ms, {10, 10}), timed.out);
  CHECK_MESSAGE(
      is_quotient(printed_after(timed.out, "us per step, "), 8e-6 * 300 * 300 * 10, {1, 1}, ms),
      timed.out);
  for (const char* size : {"1", "15", "16", "17", "1021"})
    CHECK(run_program({"--size", size, "--steps", "3", "--frames", "1", "--save", "h.png"}, options)
              .exit_code == 0);
  CHECK(run_program({"--size", "16", "--steps", "0", "--frames", "1"}, options).exit_code == 0);
  CHECK(contains(run_program({"--size", "16", "--steps", "1"}, options).out, " 12 frames)"));
  check_number_option("size");
  check_number_option("steps");
  check_number_option("frames");
  check_save_option();
  check_refused({"--size", "0"}, "--size must be");
  check_refused({"--size", "17000"});  // larger than a frame of a WebP file
  check_refused({"--steps", "-1"}, "--steps must be");
}

}  // namespace course

TEST_CASE("a cell's next temperature by hand") {
  CHECK(next_temperature(1, 0, 0, 0, 0) == 0);
  CHECK(next_temperature(0, 1, 0, 0, 0) == 0.25f);
  CHECK(next_temperature(0, 0, 1, 0, 0) == 0.25f);
  CHECK(next_temperature(0, 0, 0, 1, 0) == 0.25f);
  CHECK(next_temperature(0, 0, 0, 0, 1) == 0.25f);
  CHECK(next_temperature(0.5f, 0.5f, 0.5f, 0.5f, 0.5f) == 0.5f);
  CHECK(next_temperature(0.125f, 1, 0.5f, 0.25f, 0) == 0.4375f);
  CHECK(kMaxTemperature == 1);
  CHECK(kMinTemperature == 0.0001f);
  CHECK(frame_time_in_words(30, 4) == "Average Time per frame: 7.5 ms\n");
  CHECK(frame_time_in_words(0, 0) == "");
  CHECK(heat_tolerance(1) == 0x1p-22);
  CHECK(heat_tolerance(90) == 90 * 0x1p-22);
}

TEST_CASE("the reference is that of a textbook") {
  for (int size : {1, 2, 17, 64})
    for (int steps : {0, 1, 2, 50}) {
      const std::vector<float> result = heat_reference(size, steps);
      const std::vector<double> expected = course::heat_by_the_textbook(size, steps);
      CHECK(
          course::compare("heat", result.data(), expected.data(), result.size(), 0, 1e-5).message ==
          "");
      CHECK(result.size() == size_t(size) * size);
    }
}

TEST_CASE("the plate of 1024 cells is the book's") {
  const std::vector<float> heaters = make_heaters(1024), start = start_temperatures(1024);
  const float middle = (kMaxTemperature + kMinTemperature) / 2;
  for (int y = 0; y < 1024; y++)
    for (int x = 0; x < 1024; x++) {
      float expected = 0;
      if (x > 300 && x < 600 && y > 310 && y < 601) expected = kMaxTemperature;
      if (x == 100 && y == 100) expected = middle;
      if ((x == 100 && y == 700) || (x == 300 && y == 300) || (x == 700 && y == 200))
        expected = kMinTemperature;
      if (x >= 400 && x < 500 && y >= 800 && y < 900) expected = kMinTemperature;
      REQUIRE(heaters[x + 1024 * y] == expected);
      if (x < 200 && y >= 800) expected = kMaxTemperature;
      REQUIRE(start[x + 1024 * y] == expected);
    }
}
