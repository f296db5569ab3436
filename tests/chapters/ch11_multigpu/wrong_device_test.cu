// Its mistake leaves a device broken, so it is made in processes of their own only.
#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/wrong_device.cu"
#undef main

#include <doctest/doctest.h>

#include <cstdlib>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  if (!course::on_cpu_device()) {
    CHECK((result.exit_code == 0 || result.exit_code == 77));
    return;
  }
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "with peer access:    41 + 1 = 42\n"));
  CHECK(course::contains(result.out, "broken as intended: cudaErrorIllegalAddress on device 1\n"));
  for (const char* part : {"wrong_device.cu:", "the address is in memory of device 0",
                           "the kernel runs on device 1", "hint: call cudaDeviceEnablePeerAccess(0, 0)"})
    CHECK_MESSAGE(course::contains(result.err, part), result.err);
}

TEST_CASE("one device is not enough") {
  course::RunOptions options;
  options.environment["CPU_DEVICE_COUNT"] = "1";
  if (!course::on_cpu_device()) return;
  CHECK(course::run_program({}, options).exit_code == 77);
}

TEST_CASE("a wrong result is noticed") {
  if (course::on_cpu_device()) course::check_damage_is_noticed({});
}
