// What the programs of dot_program.h share in their tests. Included behind the program: it calls the
// program's own dot() and additions().
#pragma once

#include <initializer_list>

#include "../../harness/damaged_run.h"
#include "dot_check.h"

namespace course {

// Random vectors of awkward lengths, with every number of threads from `fewest_threads` on.
inline void check_dot_in_all_shapes(int fewest_threads) {
  for (int threads = fewest_threads; threads <= kMaxThreads; threads *= 2)
    for (int blocks : {1, 5, 32})
      check_dot(
          [&](const float* a, const float* b, size_t n) { return dot(a, b, n, threads, blocks); },
          [&](size_t n) { return additions(n, threads, blocks); });
}

// The program runs with awkward sizes, and with whole warps.
inline void check_dot_runs() {
  for (const char* size : {"0", "1", "31", "1000", "1021", "1024", "33792"})
    CHECK(run_program({"--size", size}).exit_code == 0);
  for (const char* threads : {"32", "64", "1024"})
    CHECK(run_program({"--threads", threads, "--blocks", "3"}).exit_code == 0);
}

// It refuses these numbers of threads, in these words, and what is no number.
inline void check_dot_options(std::initializer_list<const char*> refused_threads,
                              const char* words) {
  check_number_option("threads");
  check_number_option("blocks");
  check_refused({"--size", "-1"}, "--size must be");
  for (const char* threads : refused_threads) check_refused({"--threads", threads}, words);
}

}  // namespace course
