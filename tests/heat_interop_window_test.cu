// heat_interop in a window.

#define main program_main
#include "../ch08_interop/heat_interop.cu"
#undef main

#include "window_check.h"

namespace {

constexpr int kSize = 64;

// The frames of the animation at one step each, computed as far as somebody asks for.
const course::Picture& frame(size_t ticks) {
  static std::vector<course::Picture> frames;
  static std::vector<float> temperatures = start_temperatures(kSize);
  static const std::vector<float> heaters = make_heaters(kSize);
  while (frames.size() <= ticks) {
    course::Picture picture;
    for (float temperature : temperatures) {
      const uchar4 color = heat_color(temperature);
      picture.insert(picture.end(), {color.x, color.y, color.z, color.w});
    }
    frames.push_back(picture);
    for (size_t i = 0; i < temperatures.size(); i++)
      if (heaters[i] != 0) temperatures[i] = heaters[i];
    const std::vector<float> old = temperatures;
    for (int y = 0; y < kSize; y++)
      for (int x = 0; x < kSize; x++) {
        const auto at = [&](int column, int row) {
          return old[std::clamp(column, 0, kSize - 1) + kSize * std::clamp(row, 0, kSize - 1)];
        };
        temperatures[x + kSize * y] =
            next_temperature(at(x, y), at(x, y - 1), at(x - 1, y), at(x + 1, y), at(x, y + 1));
      }
  }
  return frames[ticks];
}

bool is_frame(const course::Picture& picture) {
  for (size_t ticks = 1; ticks < 5000; ticks++)
    if (course::same_picture(picture, frame(ticks))) return true;
  return false;
}

const course::WindowCase kProgram = {
    "heat_interop", {"--size", std::to_string(kSize), "--steps", "1"}, kSize, is_frame};

}  // namespace

TEST_CASE("the frames to compare with are the reference's") {
  const std::vector<float> expected = heat_reference(kSize, 20);
  for (size_t i = 0; i < expected.size(); i++) {
    const uchar4 color = heat_color(expected[i]);
    CHECK(frame(20)[4 * i] == color.x);
    CHECK(frame(20)[4 * i + 1] == color.y);
    CHECK(frame(20)[4 * i + 2] == color.z);
  }
}

TEST_CASE("the window") { course::check_window(kProgram); }

TEST_CASE("the animation") { course::check_animation_window(kProgram); }
