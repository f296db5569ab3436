#include "harness.h"

void search(const int* table, int count, const int* keys, int* found, int n);

int main() {
  const std::vector<int> table = lab::get<int>(), keys = lab::get<int>();
  std::vector<int> found(keys.size(), -7);
  search(table.data(), static_cast<int>(table.size()), keys.data(), found.data(), static_cast<int>(keys.size()));
  lab::put(found);
  return lab::done();
}
