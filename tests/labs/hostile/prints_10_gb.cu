// Verdict: printed more than
// Floods whoever reads what it prints.
#include <stdio.h>

#include <string>

void vector_add(const float*, const float*, float*, int) {
  const std::string line(1 << 20, 'x');
  for (int i = 0; i < 10000; i++) puts(line.c_str());
}
