#define main program_main
#include "../ch04_parallel/vector_add_blocks.cu"
#undef main

#include <doctest/doctest.h>
#include <stdlib.h>

#include "../common/random.h"
#include "bad_input.h"

TEST_CASE("random vectors of awkward lengths") {
  course::Random random(1);
  for (int n : {0, 1, 2, 3, 10, 31, 32, 33, 97, 1000, 65535, 65536, 65537, 100003}) {
    std::vector<int> a(n), b(n), expected(n);
    std::vector<int> c(n + 1, -1);  // one more, to see that nothing is written behind the end
    for (int i = 0; i < n; i++) {
      a[i] = static_cast<int>(random.below(2000000000)) - 1000000000;
      b[i] = static_cast<int>(random.below(2000000000)) - 1000000000;
      expected[i] = a[i] + b[i];
    }
    vector_add(a.data(), b.data(), c.data(), n);
    CHECK_MESSAGE(course::compare("c", c.data(), expected.data(), n).equal, n);
    CHECK(c[n] == -1);
  }
}

TEST_CASE("a device that is too small") {
  const char* device = getenv("COURSE_DEVICE");
  if (device == nullptr || std::string(device) != "cpu") return;
  course::RunOptions options;
  options.environment["CPU_DEVICE_MEMORY"] = "1000000";
  const course::RunResult result = course::run_program({"--size", "1000000"}, options);
  CHECK(result.exit_code == 2);
  CHECK(result.out == "");
  CHECK_MESSAGE(course::count_lines(result.err) == 1, result.err);
  CHECK(course::contains(result.err, "needs 12 MB on the device"));
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "-9 + 81 = 72\n"));
  CHECK(course::contains(result.out, "10 sums, all verified\n"));
  for (const char* size : {"0", "1", "10000", "50000", "1000003"}) {
    const course::RunResult other = course::run_program({"--size", size});
    CHECK(other.exit_code == 0);
    CHECK(course::contains(other.out, std::string(size) + " sums, all verified\n"));
  }
  course::check_number_option("size");
  course::check_refused({"--size", "-1"}, "--size must be");
}
