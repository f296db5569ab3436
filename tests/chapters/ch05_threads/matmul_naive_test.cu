#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/matmul_naive.cu"
#undef main

#include "matmul_check.h"

TEST_CASE("awkward sizes") { check_ways(kWays, kAwkward); }

TEST_CASE("the program") { check_matmul_program(); }

TEST_CASE("a wrong result is noticed") { check_damage(); }

TEST_CASE("the check of a product finds any wrong element, and names it") {
  const Sizes s = {5, 7, 3};
  const std::vector<float> a = whole_numbers(15, 1), b = whole_numbers(21, 2);
  const std::vector<double> right = plain_product(a, b, s);
  for (size_t i = 0; i < right.size(); i++)
    for (float wrong : {float(right[i]) + 1, float(right[i]) + 0.5f, NAN, INFINITY, 1000.0f}) {
      std::vector<float> c(right.begin(), right.end());
      c[i] = wrong;
      const course::Comparison outcome = check_product(a.data(), b.data(), c.data(), s);
      CHECK(!outcome.equal);
      CHECK(course::contains(outcome.message, "expected "));
    }
  std::vector<float> swapped(right.begin(), right.end());
  std::swap(swapped[0], swapped[1]);
  CHECK(check_product(a.data(), b.data(), swapped.data(), s).equal == (right[0] == right[1]));
}

TEST_CASE("the error of rounded numbers") {
  const float a[] = {0.1f, 0.2f}, b[] = {0.3f, 0.4f};
  float c[] = {float(0.1 * 0.3 + 0.2 * 0.4)};
  const Sizes s = {1, 1, 2};
  CHECK(error_of(a, b, c, s, 0, 4).within);
  c[0] += 1e-6f;
  CHECK(!error_of(a, b, c, s, 0, 4).within);
  CHECK(error_of(a, b, c, s, 0x1p-11, 4).within);
  c[0] = NAN;
  CHECK(!error_of(a, b, c, s, 0x1p-11, 4).within);
}
