// What every program owes to its user on the command line, whatever it computes.

#include <doctest/doctest.h>

#include "run_program.h"

TEST_CASE("--help prints the usage and ends with 0") {
  const course::RunResult result = course::run_program({"--help"});
  CHECK(result.exit_code == 0);
  CHECK_MESSAGE(course::contains(result.out, "usage"), result.out);
  CHECK(result.err == "");
}

TEST_CASE("an unknown option is refused in one line, with exit code 2") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  const course::RunResult result = course::run_program({"--no-such-option"}, options);
  CHECK(result.exit_code == 2);
  CHECK(result.out == "");
  CHECK_MESSAGE(course::count_lines(result.err) == 1, result.err);
  CHECK_MESSAGE(course::contains(result.err, "--no-such-option"), result.err);
  CHECK(folder.names().empty());
}
