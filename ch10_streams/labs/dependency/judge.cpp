#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    std::vector<int> data = one.ints(one.number("n"), -1000, 1000);
    one.give(data);

    for (int& number : data) number = 2 * number + 1;
    one.expect("out", data);
  });
}
