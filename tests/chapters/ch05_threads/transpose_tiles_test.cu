#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/transpose_tiles.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

TEST_CASE("each way transposes matrices of awkward sizes") {
  for (const Way& way : kWays)
    for (int n : {0, 1, 2, 31, 32, 33, 64, 65, 127, 257}) {
      INFO(way.words << ", " << n);
      const size_t count = size_t(n) * n;
      std::vector<float> in(count), out(count + 1, 77), expected(count);
      for (size_t i = 0; i < count; i++) {
        in[i] = static_cast<float>(i * 7 % 1009);
        expected[i % n * n + i / n] = in[i];
      }
      transpose(way, in.data(), out.data(), n);
      CHECK(course::compare("out", out.data(), expected.data(), count).message == "");
      CHECK(out[count] == 77);
    }
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "33", "100"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "all verified"));
    CHECK(course::contains(result.out, "GB/s") == (std::string(size) != "0"));
  }
  const course::RunResult result = course::run_program({"--size", "1000"});
  course::check_rate(result.out, " ms, ", 8 * 1000 * 1000 * 1e-6, "tiles of 32 x 32                         kernel ");
  course::check_number_option("size");
  course::check_refused({"--size", "-1"}, "--size must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "40"}); }
