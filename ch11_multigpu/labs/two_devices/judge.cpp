#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const std::vector<int> a = one.ints(one.number("n"), -9, 9), b = one.ints(a.size(), -9, 10);
    one.give(a);
    one.give(b);

    int sum = 0;
    for (size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
    one.expect("the dot product", std::vector<int>{sum});
    const std::vector<int> shares = one.take<int>("shares", 16);
    const std::vector<int> devices = one.take<int>("devices", 1);  // how many there are
    if (!one.verifying()) return;
    const long count = devices[0], n = static_cast<long>(a.size());
    for (long d = 0; d < count; d++) {
      const long share = n * (d + 1) / count - n * d / count;
      if (shares[d] != share)
        one.wrong("device " + std::to_string(d) + " of " + std::to_string(count) + " got " +
                  std::to_string(shares[d]) + " of " + std::to_string(n) + " elements, expected " +
                  std::to_string(share));
    }
  });
}
