#include <algorithm>

#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long width = one.number("width"), height = one.number("height");
    const long out_width = one.number("to_width"), out_height = out_width / 2 + 1;
    const std::vector<float> in = one.floats(width * height, 0, 1);
    one.give(std::vector<long>{width, height, out_width, out_height});
    one.give(in);

    const auto at = [&](long x, long y) {
      return static_cast<double>(
          in[std::clamp(y, 0L, height - 1) * width + std::clamp(x, 0L, width - 1)]);
    };
    std::vector<float> out;
    for (long row = 0; row < out_height; row++) {
      for (long column = 0; column < out_width; column++) {
        const double u = (column + 0.5) * width / out_width - 0.5;
        const double v = (row + 0.5) * height / out_height - 0.5;
        const long x = std::lround(std::floor(u)), y = std::lround(std::floor(v));
        const double right = u - x, down = v - y;
        out.push_back(static_cast<float>(
            (1 - down) * ((1 - right) * at(x, y) + right * at(x + 1, y)) +
            down * ((1 - right) * at(x, y + 1) + right * at(x + 1, y + 1))));
      }
    }
    one.expect("the picture", out, 0.02, out_width);  // the filter has 8 bits for each weight
  });
}
