#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    // Whole numbers, so that every order of the additions gives the same sum.
    const std::vector<int> a = one.ints(one.number("n"), 1, 9), b = one.ints(a.size(), -3, 4);
    one.give(std::vector<float>(a.begin(), a.end()));
    one.give(std::vector<float>(b.begin(), b.end()));

    float sum = 0;
    for (size_t i = 0; i < a.size(); i++) sum += static_cast<float>(a[i] * b[i]);
    one.expect("the dot product", std::vector<float>{sum});
  });
}
