#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/dot_pageable.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("awkward sizes") {
  check_dot_on_device([](const Vectors& vectors, int blocks) {
    Times times;
    const course::Stopwatch watch;
    const double result =
        dot_on_device(vectors.a.data(), vectors.b.data(), vectors.a.size(), blocks, &times);
    CHECK(std::fabs(times.end_to_end_ms - times.copy_ms - times.kernel_ms) < 1e-6);
    CHECK(times.end_to_end_ms <= watch.elapsed_ms());
    return result;
  });
}

TEST_CASE("medians of given times") {
  const Times times = median_times({{1, 20, 300}, {3, 10, 100}, {2, 30, 200}});
  CHECK(times.copy_ms == 2);
  CHECK(times.kernel_ms == 20);
  CHECK(times.end_to_end_ms == 200);
}

TEST_CASE("the number of blocks") {
  check_blocks_option([](int argc, char** argv) { return parse_request(argc, argv, ""); });
}

TEST_CASE("the book's data") {
  std::vector<float> a(1000), b(1000);
  fill_like_the_book(a.data(), b.data(), 1000);
  double sum = 0;
  for (int i = 0; i < 1000; i++) sum += a[i] * b[i];
  CHECK(sum == 2 * (999.0 * 1000 * 1999 / 6));
  CHECK(finish(a.data(), 1000) == 499500);
}

TEST_CASE("the check of the program finds a wrong result") {
  const Vectors vectors = whole_numbers(1000);
  const float *a = vectors.a.data(), *b = vectors.b.data();
  CHECK(verify_dot(vectors.expected, a, b, 1000, 4));
  CHECK_FALSE(verify_dot(vectors.expected + 1, a, b, 1000, 4));
  CHECK_FALSE(verify_dot(NAN, a, b, 1000, 4));
  // A thousand ones in two blocks: a float may be wrong by 11 roundings, 0.00066.
  const std::vector<float> ones(1000, 1.0f);
  CHECK(verify_dot(1000.0006, ones.data(), ones.data(), 1000, 2));
  for (double wrong : {1000.0007, 999.9993})
    CHECK_FALSE(verify_dot(wrong, ones.data(), ones.data(), 1000, 2));
}

TEST_CASE("the program") { check_device_program(); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
