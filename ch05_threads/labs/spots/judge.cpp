#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long width = 16 * one.number("columns"), height = 16 * one.number("rows");
    one.give(width / 16);
    one.give(height / 16);

    std::vector<int> picture(width * height);
    for (long y = 0; y < height; y++) {
      for (long x = 0; x < width; x++) {
        const long from_x = x - x % 16 + 15 - x % 16, from_y = y - y % 16 + 15 - y % 16;
        picture[y * width + x] = static_cast<int>((from_x * from_x + 7 * from_y) % 251 + 1);
      }
    }
    one.expect("the picture", picture, 0, width);
  });
}
