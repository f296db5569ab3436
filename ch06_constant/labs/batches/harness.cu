#include "harness.h"

struct Source {
  float place, strength;
};
void batches(const float* places, float* total, int n, const Source* sources, int count);

int main() {
  const std::vector<float> places = lab::get<float>(), numbers = lab::get<float>();
  std::vector<Source> sources;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) sources.push_back({numbers[i], numbers[i + 1]});
  std::vector<float> total(places.size(), -1e30f);
  batches(places.data(), total.data(), static_cast<int>(places.size()), sources.data(),
          static_cast<int>(sources.size()));
  lab::put(total, std::vector<float>(total.size(), 0));  // of no sources
  return lab::done();
}
