#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/dot_one_thread.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("awkward sizes and shares, pageable memory") {
  check_dot_on_devices([](const Vectors& vectors, const std::vector<Share>& shares) {
    return dot_on_devices(vectors.a.data(), vectors.b.data(), shares, 5);
  });
}

TEST_CASE("the same, pinned memory") {
  check_dot_on_devices([](const Vectors& vectors, const std::vector<Share>& shares) {
    const size_t n = vectors.a.size();
    PinnedMemory<float> a(n, cudaHostAllocPortable), b(n, cudaHostAllocPortable);
    std::copy(vectors.a.begin(), vectors.a.end(), a.get());
    std::copy(vectors.b.begin(), vectors.b.end(), b.get());
    return dot_on_devices(a.get(), b.get(), shares, 7);
  });
}

TEST_CASE("the program") { check_devices_program(); }

TEST_CASE("each device needs memory for its own share only") { check_memory_of_shares(); }

TEST_CASE("a wrong result is noticed") {
  if (several_devices() < 2) return;  // then the program says so, and does nothing
  course::check_damage_is_noticed({"--size", "1000", "--devices", "2"});
}
