// What the tests of all programs that add two vectors check. Included after the program; the test
// defines add_vectors() in terms of it.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../common/compare.h"
#include "../common/random.h"
#include "bad_input.h"

// c = a + b, n elements each, by the program under test.
void add_vectors(const int* a, const int* b, int* c, int n);

TEST_CASE("random vectors of awkward lengths") {
  course::Random random(1);
  for (int n : {0, 1, 2, 3, 10, 31, 32, 33, 97, 1000, 65535, 65536, 65537, 100003}) {
    std::vector<int> a(n), b(n), expected(n);
    std::vector<int> c(n + 1, -1);  // one more, to see that nothing is written behind the end
    for (int i = 0; i < n; i++) {
      a[i] = static_cast<int>(random.below(2000000000)) - 1000000000;
      b[i] = static_cast<int>(random.below(2000000000)) - 1000000000;
      expected[i] = a[i] + b[i];
    }
    add_vectors(a.data(), b.data(), c.data(), n);
    CHECK_MESSAGE(course::compare("c", c.data(), expected.data(), n).equal, n);
    CHECK(c[n] == -1);
  }
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "-9 + 81 = 72\n"));
  CHECK(course::contains(result.out, "10 sums, all verified\n"));
  for (const char* size : {"0", "1", "10000", "50000", "1000003"}) {
    const course::RunResult other = course::run_program({"--size", size});
    CHECK(other.exit_code == 0);
    CHECK(course::contains(other.out, std::string(size) + " sums, all verified\n"));
  }
  course::check_number_option("size");
  course::check_refused({"--size", "-1"}, "--size must be");
}
