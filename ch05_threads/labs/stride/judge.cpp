#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long n = one.number("n");
    const std::vector<float> x = one.floats(n, -10, 10);
    std::vector<float> y = one.floats(n, -10, 10);
    one.give(x);
    one.give(y);

    for (long i = 0; i < n; i++) y[i] += 3 * x[i];
    one.expect("y", y, 1e-5);
  });
}
