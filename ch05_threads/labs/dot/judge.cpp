#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    // Halves, whose products are quarters: every order of the additions gives the same sum, but no sum in whole
    // numbers does.
    const std::vector<int> a = one.ints(one.number("n"), 1, 17), b = one.ints(a.size(), -5, 7);
    std::vector<float> first, second;
    float sum = 0;
    for (size_t i = 0; i < a.size(); i++) {
      first.push_back(0.5f * static_cast<float>(a[i]));
      second.push_back(0.5f * static_cast<float>(b[i]));
      sum += first[i] * second[i];
    }
    one.give(first);
    one.give(second);
    one.expect("the dot product", std::vector<float>{sum});
  });
}
