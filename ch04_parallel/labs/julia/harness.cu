#include "harness.h"

void julia(unsigned char* inside, int width, int height, float c_real, float c_imaginary);

int main() {
  const int width = static_cast<int>(lab::get_number()), height = static_cast<int>(lab::get_number());
  const std::vector<float> c = lab::get<float>();
  std::vector<unsigned char> inside(static_cast<size_t>(width) * height, 77);
  julia(inside.data(), width, height, c[0], c[1]);
  lab::put(inside);
  return lab::done();
}
