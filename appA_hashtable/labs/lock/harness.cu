#include "harness.h"

int append_all(int* list, int blocks);

int main() {
  const int blocks = static_cast<int>(lab::get_number());
  std::vector<int> list(blocks, -1);
  const int length = append_all(list.data(), blocks);
  lab::put(std::vector<int>{length});
  lab::put(list);
  return lab::done();
}
