#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/dot_pinned.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("awkward sizes") {
  check_dot_on_device([](const Vectors& vectors, int blocks) {
    const size_t n = vectors.a.size();
    PinnedMemory<float> a(n, cudaHostAllocDefault), b(n, cudaHostAllocDefault);
    std::copy(vectors.a.begin(), vectors.a.end(), a.get());
    std::copy(vectors.b.begin(), vectors.b.end(), b.get());
    return dot_on_device(a.get(), b.get(), n, blocks);
  });
}

TEST_CASE("the program") { check_device_program(); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
