#define main program_main
#include "../ch10_streams/copy_bandwidth.cu"
#undef main

#include <doctest/doctest.h>

#include "bad_input.h"

TEST_CASE("what comes back is what was sent") {
  for (size_t bytes : {1, 2, 4095, 4096, 1000003}) {
    const Bandwidth pageable = measure_pageable(bytes, 1), pinned = measure_pinned(bytes, 3);
    CHECK(pageable.verified);
    CHECK(pinned.verified);
    CHECK(pageable.to_device > 0);
    CHECK(pageable.to_host > 0);
    CHECK(pinned.to_device > 0);
    CHECK(pinned.to_host > 0);
    CHECK(measure_both_ways(bytes, 1) > 0);
  }
}

TEST_CASE("the program") {
  for (const char* size : {"1", "1000003"}) {
    const course::RunResult result = course::run_program({"--size", size, "--copies", "2"});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "contents verified"));
  }
  course::check_refused({"--size", "0"}, "--size must be");
  course::check_refused({"--copies", "0"}, "--copies must be");
  course::check_refused({"--size", "1000000000000"}, "take a smaller one");
}
