#include <algorithm>

#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    // `step` between elements on average; with `equal`, keys that are in the table, with `beyond`, larger ones.
    const long count = one.number("count"), step = one.number("step");
    std::vector<int> table = one.ints(count, 0, static_cast<int>(count * step)), keys;
    std::sort(table.begin(), table.end());
    for (long i = 0; i < one.number("n"); i++) {
      const long kind = one.random.below(10);
      if (kind < one.number("equal"))
        keys.push_back(table[one.random.below(static_cast<std::uint32_t>(count))]);
      else if (kind < one.number("equal") + one.number("beyond"))
        keys.push_back(table.back() + 1 + static_cast<int>(one.random.below(100)));
      else
        keys.push_back(static_cast<int>(one.random.below(static_cast<std::uint32_t>(table.back() + 1))));
      // No key is in the table by chance where none is wanted.
      while (one.number("equal") == 0 && std::binary_search(table.begin(), table.end(), keys.back())) keys.back()++;
      if (one.number("beyond") == 0) keys.back() = std::min(keys.back(), table.back());
    }
    one.give(table);
    one.give(keys);

    std::vector<int> found;
    for (const int key : keys)
      found.push_back(static_cast<int>(std::lower_bound(table.begin(), table.end(), key) - table.begin()));
    one.expect("found", found);
  });
}
