#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch04_parallel/vector_add_blocks.cu"
#undef main

#include <stdlib.h>

#include "../../harness/damaged_run.h"
#include "vector_add_check.h"

void add_vectors(const int* a, const int* b, int* c, int n) { vector_add(a, b, c, n); }

TEST_CASE("a device that is too small") {
  if (!course::on_cpu_device()) return;
  course::RunOptions options;
  options.environment["CPU_DEVICE_MEMORY"] = "1000000";
  const course::RunResult result = course::run_program({"--size", "1000000"}, options);
  CHECK(result.exit_code == 2);
  CHECK(result.out == "");
  CHECK_MESSAGE(course::count_lines(result.err) == 1, result.err);
  CHECK(course::contains(result.err, "needs 12 MB on the device"));
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
