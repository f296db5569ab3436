#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/dot_portable.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("awkward sizes and shares") {
  check_dot_on_devices([](const Vectors& vectors, const std::vector<Share>& shares) {
    const unsigned int flags =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    const size_t n = vectors.a.size();
    PinnedMemory<float> a(n, flags), b(n, flags);
    std::copy(vectors.a.begin(), vectors.a.end(), a.get());
    std::copy(vectors.b.begin(), vectors.b.end(), b.get());
    return dot_on_devices(a.get(), b.get(), shares, 5);
  });
}

TEST_CASE("the program") { check_devices_program(); }

TEST_CASE("the number of blocks, and up to 16 devices that the CPU device can be") {
  if (several_devices() < 2) return;  // then the program says so, and ends
  check_blocks_option([](int argc, char** argv) { return parse_dot_run(argc, argv, ""); });
  if (!course::on_cpu_device()) return;
  course::RunOptions options;
  options.unset = {"CPU_DEVICE_COUNT"};
  CHECK(course::run_program({"--size", "1000", "--devices", "16"}, options).exit_code == 0);
}

TEST_CASE("the vectors are portable, mapped and write-combined; the sums can be read") {
  if (several_devices() < 2) return;
  course::watched().clear();
  std::string arguments[] = {"program", "--size=1000"};
  char* argv[] = {&arguments[0][0], &arguments[1][0], nullptr};
  CHECK(program_main(2, argv) == 0);
  const std::vector<unsigned int>& flags = course::watched().host_flags;
  REQUIRE(flags.size() > 2);
  for (int i = 0; i < 2; i++)
    CHECK(flags[i] == (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined));
  for (size_t i = 2; i < flags.size(); i++) CHECK(flags[i] == cudaHostAllocMapped);
}

TEST_CASE("a wrong result is noticed") {
  if (several_devices() < 2) return;
  course::check_damage_is_noticed({"--size", "1000"});
}
