#include "../../harness/watch_calls.h"

// The program gets a way to count that can be damaged.
#include "../../../ch09_atomics/histogram.h"
template <int kTables>
std::vector<Count> histogram_on_cores(const unsigned char* data, size_t size, int bins);
#define histogram_on_cores(data, size, bins) count_well(data, size, bins)
#define main program_main
#include "../../../ch09_atomics/histogram_cores.cu"
#undef main
#undef histogram_on_cores

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

static std::vector<int> tables_used;

template <int kTables>
std::vector<Count> histogram_on_cores(const unsigned char* data, size_t size, int bins) {
  if (tables_used.empty() || tables_used.back() != kTables) tables_used.push_back(kTables);
  std::vector<Count> counts = count_well<kTables>(data, size, bins);
  course::do_damage(counts.data(), counts.size() * sizeof(Count));
  return counts;
}

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

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }

TEST_CASE("the program compares one table with four, on all cores") {
  tables_used.clear();
  char name[] = "program", size[] = "--size=10";
  char* arguments[] = {name, size, nullptr};
  CHECK(program_main(2, arguments) == 0);
  CHECK(tables_used == std::vector<int>{1, 4, 1, 4});  // verified, then timed
#ifdef _OPENMP
  CHECK(course::cores() == omp_get_max_threads());
  CHECK(course::cores_in_words() == "all " + course::count_of(omp_get_max_threads(), "core"));
#else
  CHECK(course::cores_in_words() == "1 core (no OpenMP)");
#endif
}
