#include "harness.h"

int evaluate(int a, int b, int c, int x);

int main() {
  const std::vector<int> asked = lab::get<int>();
  std::vector<int> values;
  for (size_t i = 0; i + 3 < asked.size(); i += 4)
    values.push_back(evaluate(asked[i], asked[i + 1], asked[i + 2], asked[i + 3]));
  lab::put(values);
  return lab::done();
}
