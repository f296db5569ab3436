#include "harness.h"

void matmul(const float* a, const float* b, float* c, int rows, int depth, int columns);

int main() {
  const int rows = static_cast<int>(lab::get_number()), depth = static_cast<int>(lab::get_number());
  const int columns = static_cast<int>(lab::get_number());
  const std::vector<float> a = lab::get<float>(), b = lab::get<float>();
  std::vector<float> c(static_cast<size_t>(rows) * columns, -1e30f);
  matmul(a.data(), b.data(), c.data(), rows, depth, columns);
  lab::put(c);
  return lab::done();
}
