#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long rows = one.number("rows"), columns = one.number("columns");
    const std::vector<float> in = one.floats(rows * columns, -1, 1);
    one.give(rows);
    one.give(columns);
    one.give(in);

    std::vector<float> out(in.size());
    for (long y = 0; y < rows; y++)
      for (long x = 0; x < columns; x++) out[x * rows + y] = in[y * columns + x];
    one.expect("out", out, 0, rows);
  });
}
