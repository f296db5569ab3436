// What the tests of the histogram programs share. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../../harness/bad_input.h"
#include "../../harness/figures.h"
#include "../../harness/run_program.h"

// The histogram by definition, bin by bin, without the program's formula.
inline std::vector<Count> counted(const std::vector<unsigned char>& data, int bins) {
  std::vector<Count> by_value(256, 0), counts(bins, 0);
  for (unsigned char byte : data) by_value[byte]++;
  for (int bin = 0; bin < bins; bin++)
    for (int value = 0; value < 256; value++)
      if (value >= 256.0 * bin / bins && value < 256.0 * (bin + 1) / bins)
        counts[bin] += by_value[value];
  return counts;
}

// Awkward sizes, numbers of bins, launches and kinds of data. `most_threads`: what the kernel
// takes.
inline void check_histogram(int most_threads) {
  for (const char* kind : {"random", "skewed", "constant"})
    for (size_t size : {0, 1, 2, 15, 16, 17, 255, 256, 257, 1000, 4099, 100003}) {
      const std::vector<unsigned char> data = make_data(kind, size);
      REQUIRE(data.size() == size);
      for (int bins : {1, 2, 7, 100, 255, 256})
        CHECK_MESSAGE(histogram(data.data(), size, bins, 3, 64) == counted(data, bins), kind, size,
                      bins);
    }
  const size_t size = 50021;
  const std::vector<unsigned char> data = make_data("skewed", size);
  const std::vector<Count> expected = counted(data, 256);
  for (int threads : {1, 2, 31, 32, 33, 100, 255, 256, 257, 1000, 1024})
    for (int blocks : {1, 2, 7, 64})
      if (threads <= most_threads)
        CHECK_MESSAGE(histogram(data.data(), size, 256, blocks, threads) == expected, threads,
                      blocks);
}

inline void check_histogram_program() {
  std::string name = "program";
  char* argv[] = {&name[0], nullptr};
  CHECK(parse_request(1, argv, "").blocks == 8 * course::multiprocessors());
  for (const char* kind : {"random", "skewed", "constant"})
    for (const char* size : {"0", "1", "100003"}) {
      const course::RunResult result =
          course::run_program({"--data", kind, "--size", size, "--bins", "37", "--blocks", "5"});
      CHECK(result.exit_code == 0);
      CHECK_MESSAGE(course::contains(result.out, "all verified"), result.out);
      CHECK(result.err == "");
    }
  // The longest bar has 60 signs; a rate is bytes per time.
  const course::RunResult one = course::run_program(
      {"--data", "constant", "--size", "1000003", "--bins", "8", "--blocks", "3"});
  CHECK(one.exit_code == 0);  // 'x' is 120, of 256: bin 3 of 8
  const std::string bar = "bins   3 to   3       1000003 " + std::string(60, '#') + "\n";
  CHECK_MESSAGE(course::contains(one.out, "\n" + bar), one.out);
  CHECK(course::contains(one.out, "bins   7 to   7             0 \n"));
  CHECK(course::contains(one.out, "1000003 bytes (constant) counted in 8 bins by 3 blocks of"));
  // Of 64 bins, 4 share a row: bin 30 is one of 28 to 31.
  const course::RunResult joined = course::run_program(
      {"--data", "constant", "--size", "1003", "--bins", "64", "--blocks", "3"});
  CHECK_MESSAGE(course::contains(joined.out, "bins  28 to  31          1003 ###"), joined.out);
  const size_t rate = one.out.rfind("\nkernel ");
  REQUIRE(rate != std::string::npos);
  CHECK_MESSAGE(
      course::is_quotient(course::printed_after(one.out.substr(rate), "kernel "), 1e-6 * 1000003,
                          {1, 1}, course::printed_after(one.out, "\nkernel ")),
      one.out);
  course::check_refused({"--bins", "0"}, "--bins must be a whole number, 1 to 256");
  course::check_refused({"--bins", "257"}, "--bins must be a whole number, 1 to 256");
  course::check_refused({"--threads", "1025"}, "--threads must be");
  course::check_refused({"--data", "nonsense"}, "--data must be one of random|skewed|constant");
  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--size", "1000000000000"}, "take a smaller one");
}
