// What the dot product programs of chapter 5 must compute, for their tests.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "../../../common/program/compare.h"
#include "../../../common/lessons/dot_reference.h"
#include "../../../common/program/random.h"
#include "../../harness/bad_input.h"
#include "../../harness/figures.h"

namespace course {

// dot(a, b, n) must be within the bound for additions(n) additions one after the other.
inline void check_dot(const std::function<double(const float*, const float*, size_t)>& dot,
                      const std::function<double(size_t)>& additions) {
  Random random(1);
  for (size_t n :
       {0, 1, 2, 3, 5, 15, 16, 17, 31, 33, 255, 257, 1000, 1021, 1024, 33 * 1024, 100003}) {
    INFO(n);
    std::vector<float> a(n), b(n);
    // Of both signs: the products cancel, and a wrong one cannot hide in a large sum.
    for (float& x : a) x = random.uniform(-1, 1);
    for (float& x : b) x = random.uniform(-1, 1);
    const double result = dot(a.data(), b.data(), n);
    const DotReference reference = dot_reference(a.data(), b.data(), n, additions(n));
    CHECK(compare("dot", &result, &reference.value, 1, 0, reference.bound).message == "");
    // One element at a time: each must be seen, and only once.
    if (n == 0 || n > 1024) continue;
    for (size_t i : {size_t(0), n / 2, n - 1}) {
      std::vector<float> one(n, 0.0f);
      one[i] = 1;
      CHECK(dot(one.data(), b.data(), n) == b[i]);
    }
  }
}

// What a program prints fits together, and the formula, which is not the kernel's, gives its
// result.
inline void check_dot_figures() {
  const RunResult result = run_program({"--size", "300001"});
  CHECK(result.exit_code == 0);
  check_rate(result.out, "the kernel reads ", 8e-6 * 300001, "kernel ");
  // 2 * (1 + 4 + 9 + ... + 300000^2)
  const double squares = 300000.0 * 300001 * 600001 / 3;
  const Printed formula = printed_after(result.out, "by the formula: ");
  const Printed reference = printed_after(result.out, "in double ");
  CHECK((formula.low <= squares && formula.high >= squares));
  CHECK((reference.low <= 1.000001 * squares && reference.high >= 0.999999 * squares));
}

}  // namespace course

TEST_CASE("the reference: exact for small whole numbers, and its bound grows with the magnitudes") {
  const float a[] = {1, 2, 3}, b[] = {4, -5, 6};
  const DotReference reference = dot_reference(a, b, 3, 0);
  CHECK(reference.value == 12);
  CHECK(reference.bound == 2 * 0x1p-24 * 32);
  CHECK(dot_reference(a, b, 0, 5).value == 0);
  CHECK(dot_reference(a, b, 0, 5).bound == 0);
  CHECK(dot_reference(a, b, 3, 8).bound == 5 * reference.bound);
}
