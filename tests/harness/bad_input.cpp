#include "bad_input.h"

#include <doctest/doctest.h>

namespace course {

void check_refused(const std::vector<std::string>& args, const std::string& reason) {
  std::string command = "arguments:";
  for (const std::string& arg : args) command += " '" + arg + "'";
  INFO(command);
  TemporaryFolder folder;
  RunOptions options;
  options.working_directory = folder.path();
  const RunResult result = run_program(args, options);
  CHECK(result.exit_code == 2);
  CHECK(result.out == "");
  INFO(result.err);
  CHECK(count_lines(result.err) == 1);
  CHECK(contains(result.err, reason));
  CHECK(folder.names().empty());
}

void check_number_option(const std::string& name) {
  const std::string option = "--" + name;
  for (const char* bad : {"-1000000000000", "1000000000000", "99999999999999999999999999", "abc",
                          "12abc", "1.5", "1e3", "", " "})
    check_refused({option, bad}, option + " must be a whole number");
  check_refused({option}, option + " needs a value");
}

void check_save_option() {
  check_refused({"--save", "no/such/folder/picture.png"}, "No such file or directory");
  check_refused({"--save", "/dev/null/picture.png"}, "Not a directory");
  check_refused({"--save", "picture.txt"}, ".png");
  check_refused({"--save", "picture"}, ".png");
  check_refused({"--save", ""}, ".png");
  check_refused({"--save"}, "--save needs a value");
}

}  // namespace course
