#include "harness.h"

float dot(const float* a, const float* b, int n);

int main() {
  const std::vector<float> a = lab::get<float>(), b = lab::get<float>();
  const float sum = dot(a.data(), b.data(), static_cast<int>(a.size()));
  lab::put_of_host(std::vector<float>{sum}, a.empty() ? 0 : sizeof(float));  // the host may add the blocks' sums
  return lab::done();
}
