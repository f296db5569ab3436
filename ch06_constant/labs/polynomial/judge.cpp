#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const std::vector<float> x = one.floats(one.number("n"), -1, 1);
    const std::vector<float> c = one.floats(one.number("coefficients"), 1, 3);
    one.give(x);
    one.give(c);

    std::vector<float> y;
    for (const float at : x) {
      double sum = 0, power = 1;
      for (const float factor : c) {
        sum += factor * power;
        power *= at;
      }
      y.push_back(static_cast<float>(sum));
    }
    one.expect("y", y, 2e-4);
  });
}
