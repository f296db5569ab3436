// Random vectors of awkward lengths, for the tests of all programs that add two vectors.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "../../common/program/compare.h"
#include "../../common/program/random.h"

namespace course {

// add(a, b, c, n) must set c[i] = a[i] + b[i], and write nothing after the end. It can do
// `longest` elements at least.
inline void check_vector_sum(const std::function<void(const int*, const int*, int*, int)>& add,
                             int longest = 100003) {
  Random random(1);
  for (int n : {0,  1,   2,   3,   10,   15,   16,   17,    31,    32,    33,
                97, 127, 128, 129, 1000, 1021, 1024, 65535, 65536, 65537, 100003}) {
    if (n > longest) break;
    INFO(n);
    std::vector<int> a(n), b(n), expected(n);
    std::vector<int> c(n + 1, -1);  // one more, to see that nothing is written after the end
    for (int i = 0; i < n; i++) {
      a[i] = static_cast<int>(random.below(2000000000)) - 1000000000;
      b[i] = static_cast<int>(random.below(2000000000)) - 1000000000;
      expected[i] = a[i] + b[i];
    }
    add(a.data(), b.data(), c.data(), n);
    CHECK(compare("c", c.data(), expected.data(), n).message == "");
    CHECK(c[n] == -1);
  }
}

}  // namespace course
