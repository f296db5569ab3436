#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const std::vector<float> in = one.floats(one.number("n"), 2, 100);
    one.give(in);

    std::vector<float> out;
    for (const float number : in) out.push_back(std::sqrt(number));
    one.expect("out", out, 1e-5);
  });
}
