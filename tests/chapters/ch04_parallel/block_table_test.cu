#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch04_parallel/block_table.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"

TEST_CASE("each block sees its own number") {
  for (int n : {1, 2, 4, 100, 1000}) {
    std::vector<int> a(n), b(n);
    for (int i = 0; i < n; i++) {
      a[i] = 3 * i;
      b[i] = -i;
    }
    const std::vector<Seen> seen = run_blocks(a.data(), b.data(), n);
    REQUIRE(seen.size() == static_cast<size_t>(n));
    for (int i = 0; i < n; i++) {
      CHECK(seen[i].block == i);
      CHECK(seen[i].blocks == n);
      CHECK(seen[i].sum == 2 * i);
    }
  }
}

TEST_CASE("the program") {
  const course::RunResult result = course::run_program({});
  CHECK(result.exit_code == 0);
  CHECK(result.out ==
        "add<<<4, 1>>> runs 4 copies of the kernel:\n"
        "block 0:  i = 0;  if (0 < 4) c[0] = a[0] + b[0];  // 0 + 0 = 0\n"
        "block 1:  i = 1;  if (1 < 4) c[1] = a[1] + b[1];  // -1 + 1 = 0\n"
        "block 2:  i = 2;  if (2 < 4) c[2] = a[2] + b[2];  // -2 + 4 = 2\n"
        "block 3:  i = 3;  if (3 < 4) c[3] = a[3] + b[3];  // -3 + 9 = 6\n");
  CHECK(course::count_lines(course::run_program({"--blocks", "1000"}).out) == 1001);
  course::check_number_option("blocks");
  course::check_refused({"--blocks", "0"}, "--blocks must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({}); }
