#include "harness.h"

void picture(const float* in, float* out, int width, int height);

int main() {
  const int width = static_cast<int>(lab::get_number()), height = static_cast<int>(lab::get_number());
  const std::vector<float> in = lab::get<float>();
  std::vector<float> out(in.size(), -1e30f);
  picture(in.data(), out.data(), width, height);
  lab::put(out);
  return lab::done();
}
