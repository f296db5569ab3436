#include <algorithm>
#include <functional>

#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    // Between 10^scale times -1000 and 10^scale times `below`.
    const float scale = std::pow(10.0f, static_cast<float>(one.number("scale")));
    std::vector<float> data = one.floats(one.number("n"), -1000, static_cast<float>(one.number("below")));
    for (float& number : data) number *= scale;
    const long parts = one.number("parts"), each = static_cast<long>(data.size()) / parts;
    std::vector<float> wanted;
    for (long part = 0; part < parts; part++) {
      const auto begin = data.begin() + part * each, end = begin + each;
      wanted.push_back(*std::max_element(begin, end));
      if (parts > 1) std::sort(begin, end, std::greater<float>());
      if (parts > 1 && part % 2 == 0) std::rotate(begin, begin + each / 2, end);
    }
    one.give(parts);
    one.give(data);
    one.expect("the largest", wanted);
  });
}
