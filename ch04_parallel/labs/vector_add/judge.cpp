#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long n = one.number("n");
    const std::vector<float> a = one.floats(n, -100, 100), b = one.floats(n, -100, 100);
    one.give(a);
    one.give(b);

    std::vector<float> sum(n);
    for (long i = 0; i < n; i++) sum[i] = a[i] + b[i];
    one.expect("c", sum);
  });
}
