#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/dot_thread_per_device.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("shares cover everything once") {
  several_devices();
  for (size_t n : kAwkwardSizes)
    for (const std::vector<double>& weights :
         std::vector<std::vector<double>>{{1}, {1, 1}, {1, 1, 1}, {5, 0, 0.1, 3}, {0, 1}, {1, 0}}) {
      const std::vector<Share> shares = split(n, weights);
      REQUIRE(shares.size() == weights.size());
      size_t next = 0;
      for (size_t i = 0; i < shares.size(); i++) {
        CHECK(shares[i].device == static_cast<int>(i));
        CHECK(shares[i].begin == next);
        next += shares[i].size;
        double sum = 0;
        for (double weight : weights) sum += weight;
        CHECK(std::fabs(shares[i].size - n * weights[i] / sum) <= 1.001);
      }
      CHECK(next == n);
    }
  const size_t huge = size_t(1) << 62;
  const std::vector<Share> shares = split(huge, {1, 1, 1});
  CHECK(shares[2].begin + shares[2].size == huge);
}

TEST_CASE("awkward sizes and shares") {
  check_dot_on_devices([](const Vectors& vectors, const std::vector<Share>& shares) {
    return dot_on_devices(vectors.a.data(), vectors.b.data(), shares, 5);
  });
}

TEST_CASE("the program") { check_devices_program(); }

TEST_CASE("each device needs memory for its own share only") { check_memory_of_shares(); }

TEST_CASE("a wrong result is noticed") {
  if (several_devices() < 2) return;  // then the program says so, and does nothing
  course::check_damage_is_noticed({"--size", "1000", "--devices", "2"});
}
