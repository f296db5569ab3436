#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/dot_zero_copy.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("awkward sizes, with and without write-combining") {
  for (unsigned int flags : {0, cudaHostAllocWriteCombined + 0})
    check_dot_on_device([flags](const Vectors& vectors, int blocks) {
      const size_t n = vectors.a.size();
      PinnedMemory<float> a(n, cudaHostAllocMapped | flags), b(n, cudaHostAllocMapped | flags);
      std::copy(vectors.a.begin(), vectors.a.end(), a.get());
      std::copy(vectors.b.begin(), vectors.b.end(), b.get());
      return dot_on_device(a.get(), b.get(), n, blocks);
    });
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "100003"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "copies 0.00 ms"));
  }
  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--size", "50000000000"}, "this size needs 800 GB of host memory");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
