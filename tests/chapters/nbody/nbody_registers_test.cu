#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../nbody/nbody_registers.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "nbody_check.h"

TEST_CASE("accelerations") {
  nbody::check_version(nbody::kRegisters);
  for (const int n : {1, 31, 257, 1000, 1501})
    for (const int threads : {1, 32, 100, 256, 1024}) {
      nbody::check_against_reference(nbody::registers_version<1>(), n, threads, 0.05f);
      nbody::check_against_reference(nbody::registers_version<2>(), n, threads, 0.05f);
      nbody::check_against_reference(nbody::registers_version<8>(), n, threads, 0.05f);
    }
}

TEST_CASE("wrong accelerations are seen") { nbody::check_that_errors_are_seen(nbody::kRegisters); }

TEST_CASE("slices cover all bodies once") {
  for (const int n : {1, 2, 255, 256, 257, 1000, 4001, 65536, 1000003, 1000000000})
    for (const int threads : {1, 7, 256, 1024}) {
      const nbody::Slices slices = nbody::slices_for<4>(n, threads);
      CAPTURE(n);
      CAPTURE(threads);
      CHECK(slices.count >= 1);
      CHECK(slices.count <= 65535);  // the limit of gridDim.y
      CHECK(slices.size % threads == 0);
      CHECK(1LL * slices.count * slices.size >= n);
      CHECK(1LL * (slices.count - 1) * slices.size < n);
    }
}

TEST_CASE("the program") {
  nbody::check_program();
  for (const char* per_thread : {"1", "2", "4", "8"}) {
    const course::RunResult result = course::run_program(
        {"--per-thread", per_thread, "--size", "1000", "--threads", "64", "--steps", "1"});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
  }
  course::check_refused({"--per-thread", "3"}, "--per-thread must be one of 1|2|4|8");
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--steps", "1"});
}
