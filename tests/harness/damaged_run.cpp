// Without damaged_run.h, which belongs to a program and the calls that it makes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "run_program.h"

namespace course {

void check_damage_is_noticed(const std::vector<std::string>& args, bool slight) {
  TemporaryFolder folder;
  RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  std::string& words = options.environment["COURSE_DAMAGED_RUN"];
  for (const std::string& arg : args) words += arg + " ";
  if (args.empty()) words = " ";
  if (slight) options.environment["COURSE_DAMAGE"] = "slight";
  const RunResult result = run({"/proc/self/exe", "--test-case=(damaged run)"}, options);
  INFO(result.out);
  INFO(result.err);
  CHECK(result.exit_code == 1);
  CHECK(result.err != "");
  // Nothing is saved but what shows the mistake.
  for (const std::string& name : folder.names())
    CHECK_MESSAGE((contains(name, "_wrong.png") || contains(name, "_difference.png")), name);
}

void (*after_all_tests)() = nullptr;

namespace {

struct AfterAllTests : doctest::IReporter {
  explicit AfterAllTests(const doctest::ContextOptions&) {}
  void test_run_end(const doctest::TestRunStats&) override {
    if (after_all_tests != nullptr) after_all_tests();
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("after all tests", 1, AfterAllTests);

}  // namespace

}  // namespace course
