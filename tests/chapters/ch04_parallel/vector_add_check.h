// What the tests of all programs that add two vectors check. Included after the program; the test
// defines add_vectors() in terms of it.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "../../harness/bad_input.h"
#include "../../harness/vector_sum_check.h"

// c = a + b, n elements each, by the program under test.
void add_vectors(const int* a, const int* b, int* c, int n);

TEST_CASE("random vectors of awkward lengths") { course::check_vector_sum(add_vectors); }

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "-9 + 81 = 72\n"));
  CHECK(course::contains(result.out, "10 sums, all verified\n"));
  for (const char* size : {"0", "1", "10000", "50000", "1000003"}) {
    const course::RunResult other = course::run_program({"--size", size});
    CHECK(other.exit_code == 0);
    CHECK(course::contains(other.out, course::count_of(atoll(size), "sum") + ", all verified\n"));
  }
  course::check_number_option("size");
  course::check_refused({"--size", "-1"}, "--size must be");
}
