#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long times = one.number("times"), limit = one.number("limit");
    const std::vector<int> asked = one.ints(4 * times, static_cast<int>(-limit), static_cast<int>(limit));
    one.give(asked);

    std::vector<int> values;
    for (long i = 0; i < 4 * times; i += 4)
      values.push_back((asked[i] * asked[i + 3] + asked[i + 1]) * asked[i + 3] + asked[i + 2]);
    one.expect("value", values);
  });
}
