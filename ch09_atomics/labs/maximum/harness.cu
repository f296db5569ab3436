#include "harness.h"

float maximum(const float* data, int n);

int main() {
  const std::vector<float> data = lab::get<float>();
  const float largest = maximum(data.data(), static_cast<int>(data.size()));
  lab::put(std::vector<float>{largest}, {data[0]});  // with which the maximum may begin
  return lab::done();
}
