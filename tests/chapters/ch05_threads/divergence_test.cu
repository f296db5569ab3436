#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/divergence.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

TEST_CASE("who takes which branch") {
  for (unsigned i = 0; i < 100; i++) {
    CHECK(takes_heads(i, 0));
    CHECK(takes_heads(i, 1) == (i % 2 == 0));
    CHECK(takes_heads(i, 32) == (i < 32 || (i >= 64 && i < 96)));
  }
}

TEST_CASE("no formula for all steps at once") {
  // One of the form a * x + c would have equal distances between the results.
  for (const auto step : {heads, tails}) CHECK(step(3) - step(2) != step(2) - step(1));
}

TEST_CASE("the numbers of both branches") {  // worked out with Python
  CHECK(heads(1) == 552723936);
  CHECK(tails(1) == 1966610521);
  CHECK(kCases[1].width == 32);  // a warp's
}

TEST_CASE("results are right, however threads diverge") {
  for (unsigned width : {0u, 1u, 3u, 32u})
    for (unsigned n : {0u, 1u, 15u, 16u, 17u, 255u, 257u, 1000u, 1021u, 1024u}) {
      std::vector<unsigned> result(n + 1, 77), expected(n);
      diverge(result.data(), n, width);
      for (unsigned i = 0; i < n; i++)
        expected[i] = takes_heads(i, width) ? heads(i + 1) : tails(i + 1);
      CHECK(course::compare("result", result.data(), expected.data(), n).message == "");
      CHECK(result[n] == 77);
    }
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "15", "1021"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "all results verified"));
    if (std::string(size) != "0")
      CHECK(course::contains(result.out, "say nothing about a GPU") == course::on_cpu_device());
    if (std::string(size) != "0") CHECK(course::contains(result.out, " 1.00 times the first\n"));
  }
  const std::string out = course::run_program({"--size", "1021"}).out;
  const std::string last = out.substr(out.find("every other thread takes the other"));
  CHECK_MESSAGE(course::is_quotient(course::printed_after(last, " ms, "), 1,
                                    course::printed_after(last, "kernel "),
                                    course::printed_after(out, "same branch     kernel ")),
                out);
  course::check_number_option("size");
  course::check_refused({"--size", "-1"}, "--size must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
