#include <algorithm>

#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const float highest = static_cast<float>(one.number("below"));
    const std::vector<float> data = one.floats(one.number("n"), -1000, highest);
    one.give(data);
    one.expect("the largest", std::vector<float>{*std::max_element(data.begin(), data.end())});
  });
}
