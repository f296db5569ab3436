#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long devices = one.number("devices_listed");
    std::vector<long> table;
    for (long i = 0; i < devices; i++) {
      table.push_back(5 + one.random.below(6));
      table.push_back(one.random.below(10));
      // Some have the same, and some differ by less than a megabyte, as real ones do.
      table.push_back((4L << 30) * (1 + one.random.below(3)) + 65536 * (i / 2 % 2));
    }
    std::vector<int> asked;
    for (int major = 4; major < 12; major++)
      for (int minor = 0; minor < 10; minor += 3) asked.insert(asked.end(), {major, minor});
    one.give(table);
    one.give(asked);

    std::vector<int> chosen;
    for (size_t q = 0; q < asked.size(); q += 2) {
      long best = -1;
      for (long i = 0; i < devices; i++) {
        const bool enough = table[3 * i] * 10 + table[3 * i + 1] >= asked[q] * 10 + asked[q + 1];
        if (enough && (best < 0 || table[3 * i + 2] > table[3 * best + 2])) best = i;
      }
      chosen.push_back(static_cast<int>(best));
    }
    one.expect("the device for question", chosen);
  });
}
