// What the dot products that are finished on the device (appendix A) must compute, for their tests.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "../../../common/program/random.h"
#include "../../harness/bad_input.h"
#include "../../harness/figures.h"

namespace course {

// dot(a, b, blocks) of small whole numbers, whose sums are exact in any order.
inline void check_finished_dot(
    const std::function<float(const std::vector<float>&, const std::vector<float>&, int)>& dot) {
  Random random(1);
  for (size_t n : {0, 1, 2, 255, 256, 257, 1000, 4099, 100003}) {
    std::vector<float> a(n), b(n);
    float expected = 0;
    for (size_t i = 0; i < n; i++) {
      a[i] = static_cast<float>(1 + random.below(3));
      b[i] = static_cast<float>(1 + random.below(5));
      expected += a[i] * b[i];
    }
    for (int blocks : {1, 2, 7, 64}) CHECK_MESSAGE(dot(a, b, blocks) == expected, n);
  }
}

inline void check_finished_dot_program() {
  // A thousand ones in two blocks: a float may be wrong by 13 roundings, 0.0008.
  const std::vector<float> ones(1000, 1.0f);
  CHECK(verify_dot(1000.0005f, ones, ones, 2));
  for (float wrong : {1000.001f, 999.999f}) CHECK_FALSE(verify_dot(wrong, ones, ones, 2));
  std::string name = "program";
  char* argv[] = {&name[0], nullptr};
  CHECK(parse_request(1, argv, "").blocks == 8 * course::multiprocessors());
  std::string seconds = "--seconds=3";
  char* with_seconds[] = {&name[0], &seconds[0], nullptr};
  CHECK(parse_request(2, with_seconds, "").seconds == 3);
  // 2 * (1 + 4 + 9 + ... + 999^2)
  const Printed product = printed_after(run_program({"--size", "1000"}).out, "dot product ");
  CHECK(product.low == doctest::Approx(665667000).epsilon(1e-5));
  for (const char* size : {"0", "1", "100003"})
    for (const char* blocks : {"0", "1", "33"}) {
      const RunResult result = run_program({"--size", size, "--blocks", blocks, "--seconds", "0"});
      CHECK(result.exit_code == 0);
      CHECK_MESSAGE(contains(result.out, "verified"), result.out);
      if (atoi(size) > 1) check_rate(result.out, " ms, ", 8e-6 * atof(size), "kernel ");
    }
  check_refused({"--size", "-1"}, "--size must be");
  check_refused({"--size", "60000000000"}, "take a smaller one");
}

}  // namespace course
