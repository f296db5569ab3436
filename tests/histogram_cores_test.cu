#define main program_main
#include "../ch09_atomics/histogram_cores.cu"
#undef main

#include <doctest/doctest.h>

#include "bad_input.h"
#include "figures.h"

TEST_CASE("the same counts each way, for awkward sizes") {
  for (const char* kind : {"random", "skewed", "constant"})
    for (size_t size : {0, 1, 2, 3, 4, 5, 63, 1000, 100003}) {
      const std::vector<unsigned char> data = make_data(kind, size);
      for (int bins : {1, 19, 256}) {
        const std::vector<Count> expected = histogram_on_cpu(data.data(), size, bins);
        CHECK(histogram_on_cores<1>(data.data(), size, bins) == expected);
        CHECK(histogram_on_cores<4>(data.data(), size, bins) == expected);
        CHECK(histogram_on_cores<7>(data.data(), size, bins) == expected);
      }
    }
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "100003"}) {
    const course::RunResult result = course::run_program({"--size", size, "--bins", "19"});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(
        result.out, course::count_of(std::stoll(size), "byte") + " (random) counted in 19 bins"));
  }
  const course::RunResult timed = course::run_program({"--size", "30000000"});
  course::check_rate(timed.out, " ms, ", 30.0, "one thread ");
  course::check_rate(timed.out.substr(timed.out.find(", 4 tables")), " ms, ", 30.0, ", 4 tables ");
  course::check_refused({"--bins", "257"}, "--bins must be");
}
