#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch10_streams/stream_single.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "../../harness/slow_kernel.h"
#include "streams_check.h"

TEST_CASE("awkward sizes and chunks") { check_averages(average_in_one_stream, 1); }

TEST_CASE("the program") { check_stream_program(); }

TEST_CASE("an operation's end is taken in its own stream") {
  cudaStream_t first, second;
  REQUIRE(cudaStreamCreate(&first) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&second) == cudaSuccess);
  Timeline timeline(true);
  timeline.start({first, second});
  course::slow_kernel<<<1, 1, 0, second>>>(5);
  timeline.mark(1, Work::kKernel);
  CHECK(cudaStreamSynchronize(first) == cudaSuccess);
  CHECK(cudaStreamSynchronize(second) == cudaSuccess);
  timeline.finish();
  CHECK(timeline.elapsed_ms() >= course::at_least(5));
  CHECK(cudaStreamDestroy(first) == cudaSuccess);
  CHECK(cudaStreamDestroy(second) == cudaSuccess);
}

TEST_CASE("what is copied: seven runs, and the copies alone six times") {
  course::watched().clear();
  std::string arguments[] = {"program", "--size=1000", "--chunk=256"};
  char* argv[] = {&arguments[0][0], &arguments[1][0], &arguments[2][0], nullptr};
  CHECK(program_main(3, argv) == 0);
  std::map<cudaMemcpyKind, int> count;
  for (const course::WatchedCopy& copy : course::watched().copies) count[copy.kind]++;
  CHECK(count[cudaMemcpyHostToDevice] == (7 + 6) * 4 * 2);  // 4 chunks of two arrays
  CHECK(count[cudaMemcpyDeviceToHost] == (7 + 6) * 4);
  const PinnedMemory<int> pinned(1);
  unsigned int flags = 0;
  CHECK(cudaHostGetFlags(&flags, pinned.get()) == cudaSuccess);
  CHECK((flags & cudaHostAllocWriteCombined) == 0);  // the host reads it
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "1000", "--chunk", "1024"});
}
