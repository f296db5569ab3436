#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const std::vector<float> in = one.floats(one.number("n"), -10, 10);
    const float factor = one.random.uniform(1, 2);
    one.give(in);
    one.give(std::vector<float>{factor});

    std::vector<float> out(in.size());
    for (size_t i = 0; i < in.size(); i++) out[i] = factor * in[i] + (i > 0 ? in[i - 1] : 0);
    one.expect("out", out, 1e-5);
  });
}
