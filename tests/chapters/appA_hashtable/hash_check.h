// What the tests of the hash table programs share. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../../harness/bad_input.h"
#include "../../harness/figures.h"
#include "../../harness/run_program.h"

// `make(blocks, threads)` gives what builds a table on the device.
template <typename Make>
void check_builds(const Make& make, size_t most_buckets = 100000) {
  for (const char* kind : {"random", "equal"})
    for (size_t n : {0, 1, 2, 31, 32, 33, 1000, 4099}) {
      const std::vector<unsigned int> keys = make_keys(kind, n), values = make_values(n);
      for (size_t buckets : {1, 2, 7, 1024, 100000}) {
        if (buckets > most_buckets) continue;
        Times times = {-1, -1, -1, -1, -1};
        const course::Stopwatch watch;
        const HostTable table = build_table(keys, values, buckets, make(3, 64), &times);
        const double whole_ms = watch.elapsed_ms();
        CHECK_MESSAGE(find_fault(table, keys, values) == "", kind, n, buckets);
        CHECK(table.entries.size() == buckets);
        CHECK(table.pool.size() == n);
        // Without find_fault(), which hashes as the kernels do.
        size_t found = 0;
        for (size_t bucket = 0; bucket < buckets; bucket++)
          for (const Entry* entry = table.entries[bucket]; entry != nullptr && found <= n;
               entry = entry->next, found++)
            if (entry->key % buckets != bucket) found = n + 1;
        CHECK(found == n);
        // The parts of the time are no more than the whole of it.
        const double parts[] = {times.table_ms, times.locks_ms, times.copy_ms, times.build_ms,
                                times.fetch_ms};
        double sum = 0;
        for (double part : parts) {
          CHECK(part >= 0);
          sum += part;
        }
        CHECK(sum <= whole_ms);
        CHECK((times.build_ms > 0 || n == 0));
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
  // The keys are the same on every machine: the Mersenne Twister's for seed 7, worked out in
  // Python.
  const std::vector<unsigned int> keys = make_keys("random", 2), values = make_values(2);
  CHECK(keys == std::vector<unsigned int>{327741615, 976413892});
  CHECK(make_keys("multiples", 2) == std::vector<unsigned int>{0, 1024});
  CHECK(values == std::vector<unsigned int>{0, 2654435761u});
  std::string arguments[] = {"program", "--buckets=16", "--seconds=3"};
  char* argv[] = {&arguments[0][0], &arguments[1][0], &arguments[2][0], nullptr};
  Request request;
  request.threads_per_bucket = 32;
  request.blocks_per_multiprocessor = 100;
  CHECK(parse_request(3, argv, "", request).blocks == 2);  // 512 threads, in blocks of 256
  CHECK(parse_request(3, argv, "", request).seconds == 3);
  for (const char* kind : {"random", "equal", "multiples"})
    for (const char* size : {"0", "1", "10007"})
      for (const char* buckets : {"1", "1024", "20000"}) {
        const course::RunResult result =
            course::run_program({"--keys", kind, "--size", size, "--buckets", buckets});
        CHECK(result.exit_code == 0);
        CHECK_MESSAGE(course::contains(result.out, "each found once"), result.out);
        CHECK(result.err == "");
      }
  const course::RunResult timed = course::run_program({"--size", "20011", "--blocks", "2"});
  CHECK(course::contains(timed.out, "20011 keys (random) in 1024 buckets, each found once, by 2 "));
  course::check_rate(timed.out, "ms), ", 20.011, "build ");
  const course::RunResult soak = course::run_program({"--size", "1000", "--seconds", "1"});
  CHECK(soak.exit_code == 0);
  // Longer than a second where other programs keep the GPU busy.
  CHECK_MESSAGE((course::contains(soak.out, " rounds in ") && course::contains(soak.out, " s, all verified")), soak.out, soak.err);
  course::check_refused({"--buckets", "0"}, "--buckets must be");
  course::check_refused({"--keys", "none"}, "--keys must be one of random|equal");
  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--threads", "0"}, "--threads must be");
  course::check_refused({"--size", "4000000000", "--buckets", "4000000000"}, "take a smaller one");
}
