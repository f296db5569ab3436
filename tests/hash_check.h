// What the tests of the hash table programs share. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "bad_input.h"
#include "run_program.h"

// `make(blocks, threads)` gives what builds a table on the device.
template <typename Make>
void check_builds(const Make& make, size_t most_buckets = 100000) {
  for (const char* kind : {"random", "equal"})
    for (size_t n : {0, 1, 2, 31, 32, 33, 1000, 4099}) {
      const std::vector<unsigned int> keys = make_keys(kind, n), values = make_values(n);
      for (size_t buckets : {1, 2, 7, 1024, 100000}) {
        if (buckets > most_buckets) continue;
        Times times;
        const HostTable table = build_table(keys, values, buckets, make(3, 64), &times);
        CHECK_MESSAGE(find_fault(table, keys, values) == "", kind, n, buckets);
        CHECK(table.entries.size() == buckets);
        CHECK(table.pool.size() == n);
        CHECK(times.build_ms >= 0);
      }
    }
  const size_t n = 5003;
  const std::vector<unsigned int> keys = make_keys("random", n), values = make_values(n);
  for (int blocks : {1, 2, 9})
    for (int threads : {1, 31, 32, 33, 256, 1000})
      CHECK_MESSAGE(
          find_fault(build_table(keys, values, 61, make(blocks, threads)), keys, values) == "",
          blocks, threads);
}

inline void check_hash_program() {
  for (const char* kind : {"random", "equal", "multiples"})
    for (const char* size : {"0", "1", "10007"})
      for (const char* buckets : {"1", "1024", "20000"}) {
        const course::RunResult result =
            course::run_program({"--keys", kind, "--size", size, "--buckets", buckets});
        CHECK(result.exit_code == 0);
        CHECK_MESSAGE(course::contains(result.out, "each found once"), result.out);
        CHECK(result.err == "");
      }
  const course::RunResult soak = course::run_program({"--size", "1000", "--seconds", "1"});
  CHECK(soak.exit_code == 0);
  CHECK_MESSAGE(course::contains(soak.out, "rounds in 1 s, all verified"), soak.out);
  course::check_refused({"--buckets", "0"}, "--buckets must be");
  course::check_refused({"--keys", "none"}, "--keys must be one of random|equal");
  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--threads", "0"}, "--threads must be");
  course::check_refused({"--size", "4000000000", "--buckets", "4000000000"}, "take a smaller one");
}
