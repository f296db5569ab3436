#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    std::vector<unsigned char> data;
    for (const int value : one.ints(one.number("n"), 0, static_cast<int>(one.number("largest"))))
      data.push_back(static_cast<unsigned char>(value));
    one.give(data);

    std::vector<unsigned> bins(256);
    for (const unsigned char value : data) bins[value]++;
    one.expect("bin", bins);
  });
}
