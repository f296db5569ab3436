#include <algorithm>

#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    // Between 10^scale times -1000 and 10^scale times `below`.
    const float scale = std::pow(10.0f, static_cast<float>(one.number("scale")));
    std::vector<float> data = one.floats(one.number("n"), -1000, static_cast<float>(one.number("below")));
    for (float& number : data) number *= scale;
    one.give(data);
    one.expect("the largest", std::vector<float>{*std::max_element(data.begin(), data.end())});
  });
}
