#include "harness.h"

float maximum(const float* data, int n);

int main() {
  const size_t parts = static_cast<size_t>(lab::get_number());
  const std::vector<float> data = lab::get<float>();
  const size_t each = data.size() / parts;
  std::vector<float> largest, first;
  for (size_t part = 0; part < parts; part++) {
    largest.push_back(maximum(data.data() + part * each, static_cast<int>(each)));
    first.push_back(data[part * each]);  // with which the maximum may begin
  }
  lab::put(largest, first);
  return lab::done();
}
