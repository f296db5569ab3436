#define main program_main
#include "../ch11_multigpu/dot_pageable.cu"
#undef main

#include "multigpu_check.h"

TEST_CASE("awkward sizes") {
  check_dot_on_device([](const Vectors& vectors, int blocks) {
    Times times;
    const double result =
        dot_on_device(vectors.a.data(), vectors.b.data(), vectors.a.size(), blocks, &times);
    CHECK(times.end_to_end_ms >= times.copy_ms + times.kernel_ms - 1e-6);
    return result;
  });
}

TEST_CASE("the check of the program finds a wrong result") {
  const Vectors vectors = whole_numbers(1000);
  const float *a = vectors.a.data(), *b = vectors.b.data();
  CHECK(verify_dot(vectors.expected, a, b, 1000, 4));
  CHECK_FALSE(verify_dot(vectors.expected + 1, a, b, 1000, 4));
  CHECK_FALSE(verify_dot(NAN, a, b, 1000, 4));
}

TEST_CASE("the program") { check_device_program(); }
