// Adds two vectors on the CPU, in the two shapes of a loop that lead to a kernel.
//
// The book's section 4.2.1. What to look at: the `while` loop is the `for` loop, written so that
// two things can be changed on their own: where a worker starts, and how far it steps. The next
// programs change exactly these.
//
//   ./course run vector_add_cpu --size 1000

#include <vector>

#include "../common/compare.h"
#include "../common/device.h"
#include "../common/options.h"

// The usual loop.
void add_for(const int* a, const int* b, int* c, int n) {
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}

// The same: one worker, so it starts at 0 and steps by 1.
void add_while(const int* a, const int* b, int* c, int n) {
  int i = 0;
  while (i < n) {
    c[i] = a[i] + b[i];
    i += 1;
  }
}

int main(int argc, char** argv) {
  int n = 10;
  course::Options options("Adds two vectors on the CPU.");
  options.number("size", &n, 0, 2147483647, "elements");
  options.parse(argc, argv);
  course::require_host_memory(4.0 * sizeof(int) * n);

  std::vector<int> a(n), b(n), c(n), expected(n);
  for (int i = 0; i < n; i++) {
    a[i] = -i;
    b[i] = static_cast<int>(1LL * i * i % 1000000007);  // i * i alone would overflow from 46341 on
  }
  add_for(a.data(), b.data(), expected.data(), n);
  add_while(a.data(), b.data(), c.data(), n);

  if (!course::verify("c", c.data(), expected.data(), n)) return course::kExitWrong;
  for (int i = 0; i < n && i < 10; i++) printf("%d + %d = %d\n", a[i], b[i], c[i]);
  printf("%s, all verified\n", course::count_of(n, "sum").c_str());
  return 0;
}
