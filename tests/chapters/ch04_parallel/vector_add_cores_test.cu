#include "../../harness/watch_calls.h"

// The program gets a way to add that can be damaged.
void add_with_simd(const int* a, const int* b, int* c, long long n);
#define add_with_simd(a, b, c, n) add_well(a, b, c, n)
#define main program_main
#include "../../../ch04_parallel/vector_add_cores.cu"
#undef main
#undef add_with_simd

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"
#include "../../harness/vector_sum_check.h"

void add_with_simd(const int* a, const int* b, int* c, long long n) {
  add_well(a, b, c, n);
  course::do_damage(c, static_cast<size_t>(n) * sizeof(int));
}

TEST_CASE("sums of awkward lengths, each way") {
  for (const auto& add : {add_by_one_thread, add_by_all_cores, add_with_simd})
    course::check_vector_sum([&](const int* a, const int* b, int* c, int n) { add(a, b, c, n); });
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "1000"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "all verified"));
  }
  const course::RunResult timed = course::run_program({"--size", "3000000"});
  course::check_rate(timed.out, " ms, ", 36.0, "one thread ");
  course::check_rate(timed.out.substr(timed.out.find(", SIMD")), " ms, ", 36.0, ", SIMD ");
  course::check_number_option("size");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
