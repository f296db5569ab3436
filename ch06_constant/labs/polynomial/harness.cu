#include <algorithm>

#include "harness.h"

void polynomial(const float* x, float* y, int n, const float* c, int count);

int main() {
  const std::vector<float> x = lab::get<float>(), c = lab::get<float>();
  std::vector<float> y(x.size(), -1e30f);
  // Another polynomial first: its coefficients stay in constant memory, and must not count again.
  const std::vector<float> longer(64, 5);
  polynomial(x.data(), y.data(), static_cast<int>(x.size()), longer.data(), static_cast<int>(longer.size()));
  std::fill(y.begin(), y.end(), -1e30f);
  polynomial(x.data(), y.data(), static_cast<int>(x.size()), c.data(), static_cast<int>(c.size()));
  lab::put(y);
  return lab::done();
}
