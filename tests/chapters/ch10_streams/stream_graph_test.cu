#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch10_streams/stream_graph.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("rounds by calls and by a graph, with new data each") {
  for (size_t n : {1, 2, 255, 257, 10007}) {
    Round round(n);
    const cudaGraphExec_t graph = capture(round);
    CHECK(run_rounds(round, 3, [&] { queue(round); }));
    CHECK(run_rounds(round, 3, [&] { HANDLE_ERROR(cudaGraphLaunch(graph, round.stream[0])); }));
    CHECK(cudaGraphExecDestroy(graph) == cudaSuccess);
  }
}

TEST_CASE("nothing runs while it is captured") {
  Round round(1000);
  std::fill(round.c.get(), round.c.get() + round.n, -1);
  const cudaGraphExec_t graph = capture(round);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::count(round.c.get(), round.c.get() + round.n, -1) == 1000);
  CHECK(cudaGraphExecDestroy(graph) == cudaSuccess);
}

TEST_CASE("a round that is not right is noticed") {
  Round round(100);
  std::fill(round.c.get(), round.c.get() + round.n, -1);
  CHECK_FALSE(run_rounds(round, 1, [] {}));
}

TEST_CASE("the program") {
  for (const char* size : {"1", "257", "10007"}) {
    const course::RunResult result = course::run_program({"--size", size, "--rounds", "3"});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(
        result.out, course::count_of(atoll(size), "average") + " in each round, all verified"));
    CHECK(course::contains(result.out, "a round by 8 calls "));
  }
  course::check_number_option("size");
  course::check_number_option("rounds");
  course::check_refused({"--size", "0"}, "--size must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }

TEST_CASE("each round has other data, and its time is that of one round") {
  Round round(100);
  std::vector<int> firsts;
  CHECK(run_rounds(round, 3, [&] {
    firsts.push_back(round.a.get()[0]);
    queue(round);
  }));
  CHECK(firsts[0] != firsts[1]);
  CHECK(firsts[1] != firsts[2]);
  const course::Stopwatch watch;
  const double ms = round_ms(round, 1000, [] {});
  CHECK(1000 * ms <= watch.elapsed_ms());
}

TEST_CASE("the program runs rounds by calls and by the graph") {
  course::watched().clear();
  std::string arguments[] = {"program", "--size=1000", "--rounds=2"};
  char* argv[] = {&arguments[0][0], &arguments[1][0], &arguments[2][0], nullptr};
  CHECK(program_main(3, argv) == 0);
  // Launches by calls: what was captured, three rounds to verify, and 6 times 2 to time.
  CHECK(course::watched().launches[0] == 1 + 3 + 6 * 2);
}
