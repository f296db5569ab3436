// What the programs that count under a lock must do. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

TEST_CASE("no count is lost") {
  for (int blocks : {1, 2, 7, 50})
    for (int threads : {1, 2, 31, 32, 33, 256, 1024})
      CHECK_MESSAGE(count_threads(blocks, threads) == blocks * threads, blocks, threads);
}

TEST_CASE("the program") {
  const course::RunResult result =
      course::run_program({"--blocks", "20", "--threads", "33", "--seconds", "1"});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "660 threads counted one after the other, verified"));
  CHECK_MESSAGE((course::contains(result.out, " rounds in ") && course::contains(result.out, " s, all verified")), result.out);
  CHECK_MESSAGE(course::is_quotient(course::printed_after(result.out, " ms, "), 1e6,
                                    course::printed_after(result.out, "kernel "), {660, 660}),
                result.out);
  course::check_refused({"--blocks", "0"}, "--blocks must be");
  course::check_refused({"--threads", "1025"}, "--threads must be");
  course::check_refused({"--seconds", "-1"}, "--seconds must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--blocks", "2"}); }
