// Adds two vectors on the CPU, with a `for` loop and with a `while` loop.
//
// Section 4.2.1 of the book. What to look at: the `while` loop is the same loop, but shows two
// things that can be changed: where a worker starts, and how far it steps. The next programs change
// these two.
//
//   ./course run vector_add_cpu --size 1000

#include "../common/lessons/vector_sums.h"

// The usual loop.
void add_for(const int* a, const int* b, int* c, int n) {
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}

// The same loop: one worker, which starts at 0 and steps by 1.
void add_while(const int* a, const int* b, int* c, int n) {
  int i = 0;
  while (i < n) {
    c[i] = a[i] + b[i];
    i += 1;
  }
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  const int n = static_cast<int>(
      course::vector_size(argc, argv, "Adds two vectors on the CPU.", 10, 2147483647, false));
  course::VectorSums sums(n, -1);
  add_for(sums.a.data(), sums.b.data(), sums.c.data(), n);
  if (!course::verify_sums(sums.c.data(), n, -1)) return course::kExitWrong;
  sums.c.assign(n, 0);
  add_while(sums.a.data(), sums.b.data(), sums.c.data(), n);
  return sums.report();
}
