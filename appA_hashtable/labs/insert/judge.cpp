#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long n = one.number("n"), buckets = one.number("buckets");
    const std::vector<int> keys = one.ints(n, 0, 1000000);
    one.give(buckets);
    one.give(keys);

    const std::vector<int> head = one.take<int>("head", buckets), next = one.take<int>("next", n);
    if (!one.verifying()) return;
    std::vector<bool> found(n);
    for (long bucket = 0; bucket < buckets; bucket++) {
      for (long entry = head[bucket]; entry != -1; entry = next[entry]) {
        const std::string where = "the list of bucket " + std::to_string(bucket);
        if (entry < 0 || entry >= n) one.wrong(where + " leads to entry " + std::to_string(entry));
        if (found[entry]) one.wrong(where + " comes to entry " + std::to_string(entry) + " again");
        if (keys[entry] % buckets != bucket)
          one.wrong(where + " holds entry " + std::to_string(entry) + " of another bucket");
        found[entry] = true;
      }
    }
    long lost = 0;
    for (const bool one_found : found) lost += !one_found;
    if (lost > 0) one.wrong(std::to_string(lost) + " of " + std::to_string(n) + " entries are lost");
  });
}
