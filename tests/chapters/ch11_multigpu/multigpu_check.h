// What the tests of the dot products of chapter 11 share. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../../../ch11_multigpu/devices.h"
#include "../../../common/program/random.h"
#include "../../harness/bad_input.h"
#include "../../harness/figures.h"
#include "../../harness/run_program.h"
#include "../../harness/watch_calls.h"

// Small whole numbers: their products add up without any rounding, in any order, so that a single
// element that is lost or counted twice shows.
struct Vectors {
  std::vector<float> a, b;
  double expected = 0;
};

inline Vectors whole_numbers(size_t n) {
  Vectors vectors;
  course::Random random(static_cast<uint32_t>(n));
  for (size_t i = 0; i < n; i++) {
    vectors.a.push_back(static_cast<float>(1 + random.below(3)));
    vectors.b.push_back(static_cast<float>(1 + random.below(5)));
    vectors.expected += static_cast<double>(vectors.a[i]) * vectors.b[i];
  }
  return vectors;
}

const size_t kAwkwardSizes[] = {0, 1, 2, 3, 31, 255, 256, 257, 1000, 4099, 100003};

// The CPU device is to be four devices, before the first CUDA call of this process. Returns how
// many there are.
inline int several_devices() {
  static const int count = [] {
    setenv("CPU_DEVICE_COUNT", "4", 1);
    int present = 0;
    HANDLE_ERROR(cudaGetDeviceCount(&present));
    return std::min(present, 4);
  }();
  return count;
}

// dot(vectors, shares), for 1 to 4 devices and several ways to share the work: the result is right,
// and each device with a share, and no other, has run one kernel. The test has included
// watch_calls.h before the program.
template <typename Dot>
void check_dot_on_devices(const Dot& dot) {
  for (int devices = 1; devices <= several_devices(); devices++)
    for (size_t n : kAwkwardSizes) {
      const Vectors vectors = whole_numbers(n);
      std::vector<double> equal(devices, 1), unequal(devices), first_only(devices, 0);
      for (int i = 0; i < devices; i++) unequal[i] = 0.7 * i + 0.1;
      first_only[0] = 1;
      for (const std::vector<double>& weights : {equal, unequal, first_only}) {
        const std::vector<Share> shares = split(n, weights);
        std::map<int, int> launches;
        for (const Share& share : shares)
          if (share.size > 0) launches[share.device] = 1;
        course::watched().clear();
        CHECK_MESSAGE(dot(vectors, shares) == vectors.expected, devices, n);
        CHECK_MESSAGE(course::watched().launches == launches, devices, n);
        int current = -1;
        CHECK(cudaGetDevice(&current) == cudaSuccess);
        CHECK(current == 0);  // as it was before
      }
    }
}

inline void check_devices_program() {
  const std::string devices = std::to_string(several_devices());
  course::RunOptions options;
  options.unset = {"CPU_DEVICE_COUNT"};
  for (const char* size : {"0", "1", "100003"}) {
    const course::RunResult result =
        course::run_program({"--size", size, "--devices", devices}, options);
    CHECK(result.exit_code == 0);
    CHECK_MESSAGE(course::contains(result.out, "verified"), result.out);
    course::check_rate(result.out, " ms, ", 8e-6 * atof(size), "kernels: ");
  }
  if (course::on_cpu_device()) {
    const course::RunResult shares =
        course::run_program({"--size", "1000", "--devices", "3", "--shares", "1,0,3"}, options);
    CHECK(shares.exit_code == 0);
    CHECK_MESSAGE(course::contains(shares.out, "device 0: 250 elements, starting at 0"), shares.out);
    CHECK_MESSAGE(course::contains(shares.out, "device 1: 0 elements, starting at 250"), shares.out);
    CHECK_MESSAGE(course::contains(shares.out, "device 2: 750 elements, starting at 250"), shares.out);
    // As many as asked for, unless the environment says how many there are.
    course::RunOptions one;
    one.environment["CPU_DEVICE_COUNT"] = "1";
    const course::RunResult missing = course::run_program({"--devices", "2"}, one);
    CHECK(missing.exit_code == 77);
    CHECK(missing.out ==
          "skipped: this needs 2 devices, and there is 1; the CPU device gives as many as "
          "CPU_DEVICE_COUNT says\n");
  }
  course::check_refused({"--devices", "0"}, "--devices must be");
  for (const char* bad : {"1", "1,2,3", "1,", ",1", "a,b", "0,0", "-1,2", "nan,1", "inf,1", "1;2"})
    course::check_refused({"--devices", "2", "--shares", bad}, "--shares must be 2 numbers");
  // One character too many, at each place.
  for (const char more : {',', ';', '-', 'x'})
    for (size_t at = 0; at <= 3; at++) {
      const std::string bad = std::string("1,2").insert(at, 1, more);
      course::check_refused({"--devices", "2", "--shares", bad}, "--shares must be 2 numbers");
    }
}

// 400,000 elements are 3.2 MB: too much for one device of 2 MB, and not for two.
inline void check_memory_of_shares() {
  if (!course::on_cpu_device()) return;
  course::RunOptions options;
  options.unset = {"CPU_DEVICE_COUNT"};
  options.environment["CPU_DEVICE_MEMORY"] = "2000000";
  const auto run = [&](const char* shares) {
    return course::run_program({"--size", "400000", "--blocks", "64", "--shares", shares}, options);
  };
  const course::RunResult equal = run("1,1"), unequal = run("1,9");
  CHECK_MESSAGE(equal.exit_code == 0, equal.err);
  CHECK(unequal.exit_code == 2);
  CHECK_MESSAGE(course::contains(unequal.err, "this size needs 2.9 MB on the device"), unequal.err);
}

// The programs for one device. dot(vectors, blocks).
template <typename Dot>
void check_dot_on_device(const Dot& dot) {
  for (size_t n : kAwkwardSizes) {
    const Vectors vectors = whole_numbers(n);
    for (int blocks : {1, 2, 7, 64}) CHECK_MESSAGE(dot(vectors, blocks) == vectors.expected, n);
  }
}

// Without --blocks there are 8 for each multiprocessor; parse(argc, argv) reads the options.
template <typename Parse>
void check_blocks_option(const Parse& parse) {
  std::string arguments[] = {"program", "--blocks=3"};
  char* argv[] = {&arguments[0][0], &arguments[1][0], nullptr};
  CHECK(parse(1, argv).blocks == 8 * course::multiprocessors());
  CHECK(parse(2, argv).blocks == 3);
}

inline void check_device_program() {
  for (const char* size : {"0", "1", "100003"})
    for (const char* blocks : {"0", "1", "33"}) {
      const course::RunResult result = course::run_program({"--size", size, "--blocks", blocks});
      CHECK(result.exit_code == 0);
      CHECK_MESSAGE(course::contains(result.out, "verified"), result.out);
      course::check_rate(result.out, " ms: ", 8e-6 * atof(size), "end to end ");
    }
  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--size", "50000000000"}, "this size needs 400 GB on the device");
  course::check_refused({"--blocks", "65536"}, "--blocks must be");
}
