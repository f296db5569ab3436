#include "harness.h"

void scale_all(const float* in, float* out, int n, float factor);

int main() {
  const std::vector<float> in = lab::get<float>();
  const float factor = lab::get<float>().at(0);
  std::vector<float> out(in.size(), -1e30f);
  scale_all(in.data(), out.data(), static_cast<int>(in.size()), factor);
  lab::put(out);
  return lab::done();
}
