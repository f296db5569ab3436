// What the programs that add two numbers must do. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include "../../../common/program/random.h"
#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("sums on the device") {
  CHECK(add_on_device(2, 7) == 9);
  CHECK(add_on_device(0, 0) == 0);
  CHECK(add_on_device(INT_MAX, INT_MIN) == -1);
  CHECK(add_on_device(INT_MAX, 0) == INT_MAX);
  CHECK(add_on_device(INT_MIN, 0) == INT_MIN);
  course::Random random(1);
  for (int i = 0; i < 20; i++) {
    const int a = static_cast<int>(random.below(2000000000)) - 1000000000;
    const int b = static_cast<int>(random.below(2000000000)) - 1000000000;
    CHECK(add_on_device(a, b) == a + b);
  }
}

TEST_CASE("the program") {
  CHECK(course::run_program({}).out == "2 + 7 = 9\n");
  const course::RunResult result = course::run_program({"--a", "-12", "--b=5"});
  CHECK(result.exit_code == 0);
  CHECK(result.out == "-12 + 5 = -7\n");
  CHECK(course::run_program({"--a", "2147483647", "--b", "-2147483648"}).out ==
        "2147483647 + -2147483648 = -1\n");
}

TEST_CASE("sums and numbers that do not fit into an int") {
  course::check_refused({"--a", "2147483647", "--b", "1"}, "2147483648 does not fit into an int");
  course::check_refused({"--a", "-2147483648", "--b", "-1"}, "-2147483649 does not fit");
  course::check_number_option("a");
  course::check_number_option("b");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({}); }
