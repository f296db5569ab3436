#include "watch_calls.h"

#define main program_main
#include "../ch11_multigpu/dot_portable.cu"
#undef main

#include "damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("awkward sizes and shares") {
  check_dot_on_devices([](const Vectors& vectors, const std::vector<Share>& shares) {
    const unsigned int flags =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    const size_t n = vectors.a.size();
    HostFloats a(n, flags), b(n, flags);
    std::copy(vectors.a.begin(), vectors.a.end(), a.get());
    std::copy(vectors.b.begin(), vectors.b.end(), b.get());
    return dot_on_devices(a.get(), b.get(), shares, 5);
  });
}

TEST_CASE("the program") { check_devices_program(); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
