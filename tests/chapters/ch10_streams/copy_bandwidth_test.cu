#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch10_streams/copy_bandwidth.cu"
#undef main

#include <doctest/doctest.h>

#include <set>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("figures from given times") {
  const Bandwidth bandwidth = bandwidth_of(3000000, 2, 4);
  CHECK(bandwidth.to_device == doctest::Approx(1.5));
  CHECK(bandwidth.to_host == doctest::Approx(0.75));
  CHECK_FALSE(bandwidth.verified);
  CHECK(together_gb_per_s(3000000, 2) == doctest::Approx(3));
}

// Whether the copies since the last clear() all had pinned memory, or none, and went both ways.
// `copies` each way, after one to warm up.
static void check_copies(bool pinned, int copies) {
  std::map<cudaMemcpyKind, int> count;
  for (const course::WatchedCopy& copy : course::watched().copies) {
    CHECK(copy.pinned == pinned);
    count[copy.kind]++;
  }
  CHECK(count[cudaMemcpyHostToDevice] == count[cudaMemcpyDeviceToHost]);
  CHECK(count[cudaMemcpyHostToDevice] == 1 + copies);
  course::watched().clear();
}

TEST_CASE("what comes back is what was sent, from memory of the kind that is named") {
  for (size_t bytes : {1, 2, 4095, 4096, 1000003}) {
    course::watched().clear();
    course::Stopwatch watch;
    const Bandwidth pageable = measure_pageable(bytes, 1);
    check_copies(false, 1);
    const Bandwidth pinned = measure_pinned(bytes, 4);
    check_copies(true, 4);
    const double whole_ms = watch.elapsed_ms();
    for (const Bandwidth& one : {pageable, pinned}) {
      CHECK(one.verified);
      // No copy took longer than all of them.
      CHECK(one.to_device >= 1e-6 * bytes / whole_ms);
      CHECK(one.to_host >= 1e-6 * bytes / whole_ms);
    }
    watch = course::Stopwatch();
    const double together = measure_both_ways(bytes, 1);
    CHECK(together >= 2e-6 * bytes / watch.elapsed_ms());
  }
}

TEST_CASE("both ways at once: in a stream of its own each, from pinned memory") {
  course::watched().clear();
  measure_both_ways(1000, 1);
  std::map<cudaMemcpyKind, std::set<cudaStream_t>> streams;
  for (const course::WatchedCopy& copy : course::watched().copies) {
    CHECK(copy.pinned);
    CHECK(copy.stream != nullptr);
    streams[copy.kind].insert(copy.stream);
  }
  CHECK(streams[cudaMemcpyHostToDevice].size() == 1);
  CHECK(streams[cudaMemcpyDeviceToHost].size() == 1);
  CHECK(streams[cudaMemcpyHostToDevice] != streams[cudaMemcpyDeviceToHost]);
}

TEST_CASE("the program") {
  for (const char* size : {"1", "1000003"}) {
    const course::RunResult result = course::run_program({"--size", size, "--copies", "2"});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "contents verified"));
  }
  const course::RunResult one = course::run_program({"--size", "1", "--copies", "1"});
  CHECK_MESSAGE(one.out.rfind("1 byte, median of 1 copy, ", 0) == 0, one.out);
  course::check_refused({"--size", "0"}, "--size must be");
  course::check_refused({"--copies", "0"}, "--copies must be");
  course::check_refused({"--size", "1000000000000"}, "take a smaller one");
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "1000", "--copies", "1"});
}
