#include "../../harness/watch_calls.h"

// The program gets a histogram that can be damaged.
#include "../../../ch09_atomics/histogram.h"
std::vector<Count> damaged_histogram(const unsigned char* data, size_t size, int bins) {
  std::vector<Count> counts = histogram_on_cpu(data, size, bins);
  course::do_damage(counts.data(), counts.size() * sizeof(Count));
  return counts;
}
#define histogram_on_cpu damaged_histogram
#define main program_main
#include "../../../ch09_atomics/histogram_cpu.cu"
#undef main
#undef histogram_on_cpu

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

TEST_CASE("a histogram that can be counted by hand") {
  const unsigned char data[] = {0, 255, 127, 128, 0, 64, 63};
  CHECK(histogram_on_cpu(data, 7, 1) == std::vector<Count>{7});
  CHECK(histogram_on_cpu(data, 7, 2) == std::vector<Count>{5, 2});
  CHECK(histogram_on_cpu(data, 7, 4) == std::vector<Count>{3, 2, 1, 1});
  CHECK(histogram_on_cpu(data, 0, 3) == std::vector<Count>{0, 0, 0});
  const std::vector<Count> all = histogram_on_cpu(data, 7, 256);
  CHECK(all[0] == 2);
  CHECK(all[255] == 1);
}

TEST_CASE("which bin a value is in") {
  CHECK(bin_of(0, 256) == 0);
  CHECK(bin_of(255, 256) == 255);
  CHECK(bin_of(255, 1) == 0);
  CHECK(bin_of(127, 2) == 0);
  CHECK(bin_of(128, 2) == 1);
  CHECK(bin_of(85, 3) == 0);  // 256 / 3 = 85.3
  CHECK(bin_of(86, 3) == 1);
  CHECK(bin_of(170, 3) == 1);
  CHECK(bin_of(171, 3) == 2);
  CHECK(bin_of(255, 100) == 99);
}

TEST_CASE("the data are the same on every machine") {  // worked out with Python
  CHECK(make_data("random", 12) ==
        std::vector<unsigned char>{100, 96, 112, 190, 254, 82, 175, 174, 98, 234, 175, 135});
  CHECK(make_data("skewed", 12) ==
        std::vector<unsigned char>{62, 155, 124, 31, 31, 31, 0, 31, 31, 31, 0, 0});
}

TEST_CASE("parts follow each other, and none is left out") {
  const unsigned char data[10] = {};
  for (size_t size : {0, 1, 2, 3, 4, 9, 10}) {
    size_t next = 0;
    in_parts(3, [&](const unsigned char* part, size_t bytes, Count*) {
      CHECK(part == data + next);
      CHECK(bytes == std::min<size_t>(3, size - next));
      next += bytes;
    })(data, size, nullptr);
    CHECK(next == size);
  }
}

TEST_CASE("the kinds of data are what they are said to be") {
  const size_t n = 1 << 16;
  for (Count count : histogram_on_cpu(make_data("random", n).data(), n, 256)) {
    CHECK(count > 150);  // 256 on average, with a deviation of 16
    CHECK(count < 362);
  }
  const std::vector<Count> skewed = histogram_on_cpu(make_data("skewed", n).data(), n, 256);
  for (int zeros = 0; zeros < 6; zeros++) {
    const double expected = n / double(2 << zeros);
    CHECK(skewed[31 * zeros] > 0.9 * expected - 50);
    CHECK(skewed[31 * zeros] < 1.1 * expected + 50);
  }
  CHECK(histogram_on_cpu(make_data("constant", n).data(), n, 256)['x'] == n);
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "100003"}) {
    const course::RunResult result = course::run_program({"--size", size, "--bins", "19"});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(
        result.out, course::count_of(std::stoll(size), "byte") + " (random) counted in 19 bins"));
  }
  const course::RunResult timed = course::run_program({"--size", "3000000"});
  course::check_rate(timed.out, " ms, ", 3.0, "one CPU thread ");
  // 12 bytes, 5 of them below 128: 5 of 7 is 42.9 of 60.
  const std::string bars = course::run_program({"--size", "12", "--bins", "2"}).out;
  CHECK_MESSAGE(
      course::contains(bars, "bins   0 to   0             5 " + std::string(43, '#') + "\n"), bars);
  CHECK(course::contains(bars, "bins   1 to   1             7 " + std::string(60, '#') + "\n"));
  course::check_refused({"--bins", "257"}, "--bins must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
