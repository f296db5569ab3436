#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long rows = one.number("rows"), depth = one.number("depth"), columns = one.number("columns");
    const std::vector<float> a = one.floats(rows * depth, -1, 1), b = one.floats(depth * columns, -1, 1);
    one.give(rows);
    one.give(depth);
    one.give(columns);
    one.give(a);
    one.give(b);

    std::vector<float> c;
    for (long y = 0; y < rows; y++)
      for (long x = 0; x < columns; x++) {
        double sum = 0;
        for (long k = 0; k < depth; k++) sum += static_cast<double>(a[y * depth + k]) * b[k * columns + x];
        c.push_back(static_cast<float>(sum));
      }
    one.expect("c", c, 1e-5 * static_cast<double>(depth + 10), columns);
  });
}
