// Verdict: multiple definition
// A main() of its own, in the place of the harness's.
#include <stdio.h>

void vector_add(const float*, const float*, float*, int) {}

int main() {
  puts("right");
  return 0;
}
