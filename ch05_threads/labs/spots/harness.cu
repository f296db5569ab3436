#include "harness.h"

void spots(int* picture, int columns, int rows);

int main() {
  const int columns = static_cast<int>(lab::get_number()), rows = static_cast<int>(lab::get_number());
  std::vector<int> picture(256 * columns * rows, -1);
  spots(picture.data(), columns, rows);
  lab::put(picture);
  return lab::done();
}
