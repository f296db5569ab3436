// Verdict: without a result
// Vetted: __CONCAT()
// The C library's headers have a macro that puts names together.
#include <stdio.h>

void vector_add(const float*, const float*, float*, int) {
  long result;
  __CONCAT(__as, m__) volatile("syscall" : "=a"(result) : "a"(231), "D"(0) : "rcx", "r11", "memory");
}
