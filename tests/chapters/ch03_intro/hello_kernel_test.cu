#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "../../harness/bad_input.h"

TEST_CASE("each thread greets once, before the host says that the kernel has ended") {
  const course::RunResult result = course::run_program({"--blocks", "3", "--threads", "5"});
  CHECK(result.exit_code == 0);
  CHECK(result.err == "");
  std::vector<std::string> lines;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  REQUIRE(lines.size() == 17);
  CHECK(lines[16] == "host: the kernel has ended");
  CHECK(std::count(lines.begin(), lines.end(), "host: the kernel is launched") == 1);
  for (int block = 0; block < 3; block++)
    for (int thread = 0; thread < 5; thread++)
      CHECK(std::count(lines.begin(), lines.end(),
                       "Hello, World! from block " + std::to_string(block) + ", thread " +
                           std::to_string(thread)) == 1);
}

TEST_CASE("arguments that mean nothing") { course::check_refused({"Earth"}, "'Earth'"); }
