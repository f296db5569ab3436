#include <algorithm>

#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long blocks = one.number("blocks");
    one.give(blocks);

    one.expect("the length", std::vector<int>{static_cast<int>(blocks)});
    std::vector<int> list = one.take<int>("the list", blocks);
    if (!one.verifying()) return;
    std::sort(list.begin(), list.end());  // any order is right
    for (long i = 0; i < blocks; i++)
      if (list[i] != i) one.wrong("block " + std::to_string(i) + " is not in the list exactly once");
  });
}
