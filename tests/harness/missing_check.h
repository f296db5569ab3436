// What the programs of chapter 10 that forget something must show, for their tests.
#pragma once

#include <doctest/doctest.h>

#include <functional>

#include "bad_input.h"

namespace course {

// count_right(n, true) does it right; count_right(n, false) is wrong, on the CPU device every time.
inline void check_missing(const std::function<size_t(size_t, bool)>& count_right) {
  for (size_t n : {1, 2, 255, 257, 100003}) {
    CHECK(count_right(n, true) == n);
    const size_t without = count_right(n, false);
    if (on_cpu_device()) CHECK(without == 0);
  }
}

// The program, in every order.
inline void check_missing_program() {
  for (const char* order : {"forward", "reverse", "shuffle:3"}) {
    RunOptions options;
    options.environment["CPU_DEVICE_ORDER"] = order;
    const RunResult result = run_program({"--size", "10007"}, options);
    CHECK(result.exit_code == 0);
    CHECK((contains(result.out, "broken as intended: ") ||
           contains(result.out, "the mistake did not show this time: ")));
  }
  const RunResult one = run_program({"--size", "1"});
  if (on_cpu_device()) CHECK_MESSAGE(contains(one.out, "broken as intended: 1 element "), one.out);
  check_refused({"--size", "0"}, "--size must be");
}

}  // namespace course
