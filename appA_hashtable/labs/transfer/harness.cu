#include "harness.h"

struct Transfer {
  int from, to, amount;
};
int transfer_all(int* accounts, int count, const Transfer* transfers, int many);

int main() {
  std::vector<int> accounts = lab::get<int>();
  const std::vector<int> before = accounts;
  const std::vector<int> numbers = lab::get<int>();
  std::vector<Transfer> transfers;
  for (size_t i = 0; i + 2 < numbers.size(); i += 3)
    transfers.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  const int done = transfer_all(accounts.data(), static_cast<int>(accounts.size()), transfers.data(),
                                static_cast<int>(transfers.size()));
  lab::put(std::vector<int>{done}, {0});
  lab::put(accounts, before);
  return lab::done();
}
