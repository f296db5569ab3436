// Verdict: did not end
// Takes no time of the CPU, and never ends either.
#include <unistd.h>

void vector_add(const float*, const float*, float*, int) {
  while (true) sleep(1000);
}
