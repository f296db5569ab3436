#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch06_constant/events.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

TEST_CASE("random numbers by xorshift, as others compute them") {
  CHECK(scramble(1, 0) == 1);
  CHECK(scramble(1, 1) == 270369);
  CHECK(scramble(1, 2) == 67634689);
  CHECK(scramble(1, 3) == 2647435461u);
}

TEST_CASE("results, and times that fit each other") {
  for (int n : {1, 15, 16, 17, 1000, 1021, 1024}) {
    std::vector<unsigned> data(n), expected(n);
    const Timing timing = timed_work(data.data(), n, 1000);
    for (int i = 0; i < n; i++) expected[i] = scramble(i + 1, 1000);
    CHECK(course::compare("data", data.data(), expected.data(), n).message == "");
    CHECK(timing.events_ms > 0);
    CHECK(timing.events_ms <= 1.01 * timing.finished_ms + 0.01);  // two clocks
    CHECK(timing.launch_ms > 0);
    CHECK(timing.finished_ms >= timing.launch_ms);  // taken by one clock, one after the other
  }
}

TEST_CASE("the numbers are Marsaglia's") {
  CHECK(scramble(1, 0) == 1);
  CHECK(scramble(1, 1) == 270369);
  CHECK(scramble(1, 2) == 67634689);
  CHECK(scramble(12345, 1) == 3336926330u);
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({"--size", "1021", "--steps", "1000"});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "1021 elements on "));
  CHECK(course::contains(result.out, "between the two events"));
  CHECK(course::contains(result.out, " times as long as its launch\n"));
  const course::Printed events = course::printed_after(result.out, "between the two events"),
                        waiting = course::printed_after(result.out, "clock, with waiting"),
                        launch = course::printed_after(result.out, "clock, without waiting");
  CHECK(course::is_quotient(course::printed_after(result.out, "took "), 1, events, launch));
  CHECK(1.01 * waiting.high + 0.01 >= events.low);  // two clocks
  CHECK(course::run_program({"--size", "1", "--steps", "0"}).exit_code == 0);
  course::check_number_option("size");
  course::check_number_option("steps");
  course::check_refused({"--size", "0"}, "--size must be");
  course::check_refused({"--steps", "-1"}, "--steps must be");
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--steps", "10"});
}
