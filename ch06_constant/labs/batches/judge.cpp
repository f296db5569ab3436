#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const std::vector<float> places = one.floats(one.number("n"), 0, 10);
    const std::vector<float> sources = one.floats(2 * one.number("sources"), 0, 10);
    one.give(places);
    one.give(sources);

    std::vector<float> total;
    for (const float place : places) {
      double sum = 0;
      for (size_t k = 0; k < sources.size(); k += 2)
        sum += sources[k + 1] / (1 + std::fabs(static_cast<double>(place) - sources[k]));
      total.push_back(static_cast<float>(sum));
    }
    // Thousands of additions in float.
    one.expect("total", total, 0.05 + 1e-5 * static_cast<double>(sources.size()));
  });
}
