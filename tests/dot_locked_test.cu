#define main program_main
#include "../appA_hashtable/dot_locked.cu"
#undef main

#include <doctest/doctest.h>

#include "../common/random.h"
#include "bad_input.h"

TEST_CASE("small whole numbers, whose sums are exact in any order") {
  course::Random random(1);
  for (size_t n : {0, 1, 2, 255, 256, 257, 1000, 4099, 100003}) {
    std::vector<float> a(n), b(n);
    float expected = 0;
    for (size_t i = 0; i < n; i++) {
      a[i] = static_cast<float>(1 + random.below(3));
      b[i] = static_cast<float>(1 + random.below(5));
      expected += a[i] * b[i];
    }
    for (int blocks : {1, 2, 7, 64}) CHECK_MESSAGE(dot_on_device(a, b, blocks) == expected, n);
  }
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "100003"})
    for (const char* blocks : {"0", "1", "33"}) {
      const course::RunResult result =
          course::run_program({"--size", size, "--blocks", blocks, "--seconds", "0"});
      CHECK(result.exit_code == 0);
      CHECK_MESSAGE(course::contains(result.out, "verified"), result.out);
    }
  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--size", "60000000000"}, "take a smaller one");
}
