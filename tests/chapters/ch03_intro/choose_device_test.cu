#define main program_main
#include "../../../ch03_intro/choose_device.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"

static cudaDeviceProp made_up(int major, int minor, int multiprocessors) {
  cudaDeviceProp device;
  memset(&device, 0, sizeof device);
  device.major = major;
  device.minor = minor;
  device.multiProcessorCount = multiprocessors;
  return device;
}

TEST_CASE("the constraint") {
  const cudaDeviceProp device = made_up(7, 5, 1);
  CHECK(satisfies(device, 1, 3));
  CHECK(satisfies(device, 7, 5));
  CHECK(satisfies(device, 6, 9));
  CHECK_FALSE(satisfies(device, 7, 6));
  CHECK_FALSE(satisfies(device, 8, 0));
}

TEST_CASE("the choice among several devices") {
  CHECK(choose({}, 1, 3) == -1);
  CHECK(choose({made_up(1, 2, 30)}, 1, 3) == -1);
  CHECK(choose({made_up(1, 2, 30), made_up(1, 3, 2)}, 1, 3) == 1);
  CHECK(choose({made_up(9, 0, 10), made_up(8, 0, 20), made_up(7, 0, 30)}, 8, 0) == 1);
  CHECK(choose({made_up(9, 0, 10), made_up(9, 0, 10)}, 9, 0) == 0);
}

TEST_CASE("cudaChooseDevice never says none") {
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  for (int major : {0, 1, 9, 99}) {
    const int device = best_match(major, 0);
    CHECK(device >= 0);
    CHECK(device < count);
  }
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "satisfies the requirement"));
  const course::RunResult none = course::run_program({"--major", "99"});
  CHECK(none.exit_code == 77);
  CHECK(course::contains(none.out, "does not satisfy the requirement"));
  CHECK(course::contains(none.out, "none"));
  course::check_number_option("major");
  course::check_number_option("minor");
}
