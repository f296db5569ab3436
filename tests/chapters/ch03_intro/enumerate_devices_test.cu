#define main program_main
#include "../../../ch03_intro/enumerate_devices.cu"
#undef main

#include <doctest/doctest.h>
#include <stdlib.h>

#include "../../harness/bad_input.h"

TEST_CASE("all devices, each with its own properties") {
  const std::vector<cudaDeviceProp> devices = all_devices();
  REQUIRE(!devices.empty());
  for (int i = 0; i < static_cast<int>(devices.size()); i++) CHECK(is_device(devices[i], i));
}

TEST_CASE("properties that are not the device's are noticed") {
  cudaDeviceProp properties = all_devices()[0];
  properties.minor++;
  CHECK_FALSE(is_device(properties, 0));
  properties.minor--;
  properties.name[0] = '\0';
  CHECK_FALSE(is_device(properties, 0));
}

TEST_CASE("the program prints one line for each device") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(course::count_lines(result.out) == static_cast<int>(all_devices().size()));
  CHECK(course::contains(result.out, "device 0: "));
}

TEST_CASE("several CPU devices") {
  if (!course::on_cpu_device()) return;
  course::RunOptions options;
  options.environment["CPU_DEVICE_COUNT"] = "3";
  const course::RunResult result = course::run_program({}, options);
  CHECK(result.exit_code == 0);
  CHECK(course::count_lines(result.out) == 3);
  CHECK(course::contains(result.out, "device 2: "));
}
