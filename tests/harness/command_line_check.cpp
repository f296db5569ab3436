// What every program owes to its user on the command line, whatever it computes.

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "run_program.h"

namespace {

// Runs it with its defaults in a folder of its own, and with one more variable in the environment.
course::RunResult run_with(const char* name, const char* value) {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  options.environment[name] = value;
  options.timeout_s = 300;
  return course::run_program({}, options);
}

// "--size 10 (0 to 1024), --save" of what --help prints: the options, their defaults and ranges.
std::string options_of(const std::string& help) {
  std::string result;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  --", 0) != 0 || line.rfind("  --help ", 0) == 0) continue;
    result += (result.empty() ? "" : ", ") + line.substr(2, line.find(' ', 4) - 2);
    const size_t value = line.rfind("default "), open = line.rfind('(', value);
    if (value == std::string::npos || line.back() != ')') continue;
    result += " " + line.substr(value + 8, line.size() - value - 9);
    if (open + 1 < value) result += " " + line.substr(open, value - open - 2) + ")";
  }
  return result;
}

}  // namespace

TEST_CASE("the options, their defaults and their ranges are those of defaults.txt") {
  const std::string name = course::program_path().substr(course::program_path().rfind('/') + 1);
  std::ifstream table(std::string(getenv("COURSE_SOURCE")) + "/tests/harness/defaults.txt");
  std::string expected = "no line for " + name;
  for (std::string line; std::getline(table, line);)
    if (line.rfind(name + ":", 0) == 0) expected = line;
  const std::string options = options_of(course::run_program({"--help"}).out);
  CHECK(name + (options.empty() ? ":" : ": ") + options == expected);
}

TEST_CASE(
    "sizes that fill a warp or a block, or are one beyond it, give no warning, and all the same "
    "exit code") {
  if (options_of(course::run_program({"--help"}).out).rfind("--size", 0) != 0) return;
  if (!course::on_cpu_device()) return;
  for (const char* word : {"_broken", "lost_", "missing_"})  // wrong on purpose
    if (course::contains(course::program_path().substr(course::program_path().rfind('/') + 1),
                         word))
      return;
  int first = -1;
  for (const char* size : {"32", "33", "64", "256", "257"}) {
    course::TemporaryFolder folder;
    course::RunOptions options;
    options.working_directory = folder.path();
    options.timeout_s = 300;
    const course::RunResult result = course::run_program({"--size", size}, options);
    CHECK_MESSAGE(!course::contains(result.err, "CPU device: "),
                  "--size " << size << ": " << result.err);
    if (first < 0) first = result.exit_code;
    CHECK_MESSAGE(result.exit_code == first, "--size " << size << ": " << result.out << result.err);
  }
}

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

TEST_CASE("output that cannot be written is said in one line, with exit code 1") {
  const course::RunResult result =
      course::run({"sh", "-c", "exec \"$0\" --help >/dev/full", course::program_path()});
  CHECK(result.exit_code == 1);
  CHECK_MESSAGE(course::count_lines(result.err) == 1, result.err);
  CHECK_MESSAGE(course::contains(result.err, "output could not be written"), result.err);
}

TEST_CASE("without a device it is skipped in one line, unless it needs none") {
  if (!course::on_cpu_device()) return;
  const course::RunResult result = run_with("CPU_DEVICE_COUNT", "0");
  if (result.exit_code == 0) {
    CHECK_MESSAGE(result.err == "", result.err);
    return;
  }
  CHECK(result.exit_code == 77);
  CHECK_MESSAGE(course::count_lines(result.out) == 1, result.out);
  CHECK_MESSAGE(result.out.rfind("skipped: ", 0) == 0, result.out);
  CHECK_MESSAGE(result.err == "", result.err);
}

TEST_CASE("with next to no memory on the device it says so in one line") {
  if (!course::on_cpu_device()) return;
  const course::RunResult result = run_with("CPU_DEVICE_MEMORY", "1");
  if (result.exit_code == 0) return;
  CHECK_MESSAGE((result.exit_code == 2 || result.exit_code == 77), result.exit_code);
  const std::string all = result.out + result.err;
  CHECK_MESSAGE(course::count_lines(all) == 1, all);
}
