#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/peer_copy.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("figures from given times") { CHECK(gb_per_s(3000000, 2) == doctest::Approx(1.5)); }

TEST_CASE("every pair of devices, awkward sizes") {
  const int devices = several_devices();
  for (int from = 0; from < devices; from++)
    for (int to = 0; to < devices; to++)
      for (size_t n : {1, 1000, 65537}) {
        if (from == to) continue;
        std::vector<unsigned int> words(n);
        course::Random random(static_cast<uint32_t>(n));
        for (unsigned int& word : words) word = random.bits();
        const course::Stopwatch watch;
        const PeerSpeed speed = measure_pair(from, to, words);
        const double whole_ms = watch.elapsed_ms();
        CHECK_MESSAGE(speed.verified, from, to, n);
        // No copy took longer than all of them.
        CHECK(speed.through_host >= 4e-6 * n / whole_ms);
        if (!course::on_cpu_device()) continue;
        CHECK(speed.direct >= 4e-6 * n / whole_ms);
        CHECK(speed.by_kernel >= 4e-6 * n / whole_ms);
      }
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({"--size", "1000"});
  if (several_devices() < 2) {
    CHECK(result.exit_code == 77);
    return;
  }
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, " 1 to  0 "));
  course::check_refused({"--devices", "1"}, "--devices must be");
  course::check_refused({"--size", "0"}, "--size must be");
}

TEST_CASE("a wrong result is noticed") {
  if (several_devices() < 2) return;  // then the program says so, and does nothing
  course::check_damage_is_noticed({"--size", "1000"});
}
