#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch06_constant/events_broken.cu"
#undef main

#include <doctest/doctest.h>
#include <stdlib.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("the answer is that the event has not happened; the work is done all the same") {
  for (int n : {1, 15, 16, 17, 1000, 1021, 1024}) {
    std::vector<unsigned> data(n), expected(n);
    const Answer answer = timed_work(data.data(), n, 1000);
    for (int i = 0; i < n; i++) expected[i] = scramble(i + 1, 1000);
    CHECK(course::compare("data", data.data(), expected.data(), n).message == "");
    if (course::on_cpu_device()) {
      CHECK(answer.error == cudaErrorNotReady);
      CHECK(answer.events_ms == 0);
    } else {
      CHECK((answer.error == cudaErrorNotReady || answer.error == cudaSuccess));
    }
    CHECK(cudaGetLastError() == cudaSuccess);
  }
}

TEST_CASE("the program says what it saw") {
  const course::RunResult result = course::run_program({"--size", "1021"});
  CHECK(result.exit_code == 0);
  if (course::on_cpu_device()) {
    CHECK(course::contains(result.out,
                           "broken as intended: without the wait, CUDA returns "
                           "'device not ready'"));
    CHECK_MESSAGE(course::contains(result.err, "hint: call cudaEventSynchronize(stop)"), result.err);
  } else {
    CHECK((course::contains(result.out, "broken as intended: ") ||
           course::contains(result.out, "the mistake did not show this time: ")));
  }
  course::check_number_option("size");
  course::check_number_option("steps");
  course::check_refused({"--size", "0"}, "--size must be");
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "1000", "--steps", "10"});
}
