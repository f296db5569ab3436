// Checking, not the lesson: vectors to add, and what the programs that add them do besides adding.
//
//   const size_t n = course::vector_size(argc, argv, "Adds two vectors.", 10, 1024);
//   course::VectorSums sums(n);
//   vector_add(sums.a.data(), sums.b.data(), sums.c.data(), n);
//   return sums.report();
#pragma once

#include <stdio.h>

#include <algorithm>
#include <vector>

#include "../program/compare.h"
#include "../program/device.h"
#include "../program/options.h"

namespace course {

// The values to add, from 0 to 10^9 in magnitude, so that no sum overflows; i * i alone would, from
// 46341 on.
inline int vector_a(size_t i) { return static_cast<int>(i % 1000000); }
inline int vector_b(size_t i) { return static_cast<int>(i * i % 1000000007); }

// --size from the command line: `size` elements by default, `longest` at most. Makes sure that
// there is memory for three vectors on the device, if one is used, and for four on the host.
inline size_t vector_size(int argc, char** argv, const char* purpose, size_t size,
                          long long longest, bool on_device = true) {
  Options options(purpose);
  options.number("size", &size, 0, longest, "elements");
  options.parse(argc, argv);
  const double bytes = 1.0 * sizeof(int) * size;
  if (on_device)
    require_memory(3 * bytes, 4 * bytes);
  else
    require_host_memory(4 * bytes);
  return size;
}

// Whether c[i] = a[i] + b[i] for the values above, with a's of the given sign; says so if not.
inline bool verify_sums(const int* c, size_t n, int sign = 1) {
  std::vector<int> expected(n);
  for (size_t i = 0; i < n; i++) expected[i] = sign * vector_a(i) + vector_b(i);
  return verify("c", c, expected.data(), n);
}

// The same, and prints the first sums. Returns the exit code.
inline int report_sums(const int* a, const int* b, const int* c, size_t n, int sign = 1) {
  if (!verify_sums(c, n, sign)) return kExitWrong;
  for (size_t i = 0; i < std::min<size_t>(n, 10); i++) printf("%d + %d = %d\n", a[i], b[i], c[i]);
  printf("%s, all verified\n", count_of(n, "sum").c_str());
  return 0;
}

// Vectors of n elements to add, and one for the sums. The book's a[i] is -i or i.
struct VectorSums {
  std::vector<int> a, b, c;

  explicit VectorSums(size_t n, int sign_of_a = 1) : a(n), b(n), c(n), sign_(sign_of_a) {
    for (size_t i = 0; i < n; i++) {
      a[i] = sign_ * vector_a(i);
      b[i] = vector_b(i);
    }
  }

  int report() const { return report_sums(a.data(), b.data(), c.data(), c.size(), sign_); }

 private:
  int sign_;
};

}  // namespace course
