// Does a program notice a wrong result? Included after the program, which is included after
// watch_calls.h: its main() is run in a process of its own where every copy to the host arrives
// with its last byte inverted.
#pragma once

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "run_program.h"
#include "watch_calls.h"

namespace course {

// The program, called with these arguments, says that its result is wrong, and ends with 1.
inline void check_damage_is_noticed(const std::vector<std::string>& args) {
  TemporaryFolder folder;
  RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  std::string& words = options.environment["COURSE_DAMAGED_RUN"];
  for (const std::string& arg : args) words += arg + " ";
  if (args.empty()) words = " ";
  const RunResult result = run({"/proc/self/exe", "--test-case=(damaged run)"}, options);
  INFO(result.out);
  INFO(result.err);
  CHECK(result.exit_code == 1);
  CHECK(result.err != "");
  // Nothing is saved but what shows the mistake.
  for (const std::string& name : folder.names())
    CHECK_MESSAGE((contains(name, "_wrong.png") || contains(name, "_difference.png")), name);
}

}  // namespace course

// Does something only when check_damage_is_noticed() has started this process.
TEST_CASE("(damaged run)") {
  const char* const words = getenv("COURSE_DAMAGED_RUN");
  if (words == nullptr) return;
  std::vector<std::string> args = {"program"};
  std::istringstream stream(words);
  for (std::string word; stream >> word;) args.push_back(word);
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(&arg[0]);
  argv.push_back(nullptr);
  course::watched().damage = true;
  exit(program_main(static_cast<int>(args.size()), argv.data()));
}
