#include <algorithm>
#include <cmath>

#include "judge.h"

static unsigned char level(double number) {
  return static_cast<unsigned char>(std::lround(std::clamp(number, 0.0, 1.0) * 255));
}

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long width = one.number("width"), height = one.number("height");
    std::vector<float> field = one.floats(width * height, -2, 2);
    for (float& number : field) {  // not where floats and doubles may round to different sides
      const double level = 255.0 * number;
      if (std::fabs(level - std::floor(level) - 0.5) < 0.01)
        number = static_cast<float>((std::floor(level) + 0.75) / 255);
    }
    one.give(width);
    one.give(height);
    one.give(field);

    std::vector<unsigned char> frame;
    for (long row = height; row-- > 0;)
      for (long x = 0; x < width; x++)
        frame.insert(frame.end(), {level(field[row * width + x]), 0, level(-field[row * width + x]), 255});
    one.expect("the pixels (bytes)", frame, 0, 4 * width);
  });
}
