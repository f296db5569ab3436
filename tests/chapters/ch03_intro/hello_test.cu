#include <doctest/doctest.h>

#include "../../harness/bad_input.h"

TEST_CASE("the greeting") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(result.out == "Hello, World!\n");
  CHECK(result.err == "");
}

TEST_CASE("arguments that mean nothing") { course::check_refused({"Earth"}, "'Earth'"); }
