#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long width = one.number("width"), height = one.number("height");
    const std::vector<long> times = {0, 5 + static_cast<long>(one.random.below(90))};
    one.give(width);
    one.give(height);
    one.give(times);

    for (const long time : times) {
      std::vector<unsigned char> frame;
      for (long i = 0; i < width * height; i++) {
        const double x = i % width - width / 2.0, y = i / width - height / 2.0;
        const double distance = std::sqrt(x * x + y * y) / 10;
        const double grey = 127 + 126 * std::cos(distance - time / 7.0) / (distance + 1);
        const auto level = static_cast<unsigned char>(grey);
        frame.insert(frame.end(), {level, level, level, 255});
      }
      one.expect("frame " + std::to_string(time) + " (bytes)", frame, 1, 4 * width);
    }
  });
}
