// Verdict: memory
// Takes memory until there is none.
#include <stdlib.h>
#include <string.h>

void vector_add(const float*, const float*, float*, int) {
  while (true) {
    void* memory = malloc(64 << 20);
    if (memory != nullptr) memset(memory, 1, 64 << 20);
  }
}
