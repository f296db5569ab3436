#include "judge.h"

// Any order of the transfers is right, so the cases are such that it does not matter: each rich
// account pays only, and has enough; each poor one has nothing, and what it should pay is not moved.
int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const int many = static_cast<int>(one.number("transfers"));
    const int poor = static_cast<int>(one.number("poor"));  // of 100 transfers
    std::vector<int> accounts(30), transfers;
    for (int i = 0; i < 10; i++) accounts[i] = 1000000;
    one.give(accounts);
    int done = 0;
    for (int i = 0; i < many; i++) {
      const bool moved = static_cast<int>(one.random.below(100)) >= poor;
      const int from = static_cast<int>(one.random.below(10)) + (moved ? 0 : 10);
      const int to = static_cast<int>(one.random.below(10)) + 20;
      const int amount = 1 + static_cast<int>(one.random.below(500));
      transfers.insert(transfers.end(), {from, to, amount});
      if (!moved) continue;
      done++;
      accounts[from] -= amount;
      accounts[to] += amount;
    }
    one.give(transfers);

    one.expect("the number of transfers that were carried out", std::vector<int>{done});
    one.expect("account", accounts);
  });
}
