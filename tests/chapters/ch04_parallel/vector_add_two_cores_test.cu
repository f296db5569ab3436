#include "../../harness/watch_calls.h"

// The program's second core gets a way to add that can be damaged.
#include "../../../common/program/timing.h"
#include "../../../common/lessons/vector_sums.h"
void add(const int* a, const int* b, int* c, int n, int worker, int workers);
#define add(a, b, c, n, worker, workers) add_well(a, b, c, n, worker, workers)
#define main program_main
#include "../../../ch04_parallel/vector_add_two_cores.cu"
#undef main
#undef add

#include "../../harness/damaged_run.h"
#include "vector_add_check.h"

void add(const int* a, const int* b, int* c, int n, int worker, int workers) {
  add_well(a, b, c, n, worker, workers);
  if (n == 1000 && worker == 1) course::do_damage(c + n - 1, sizeof(int));  // its own
}

void add_vectors(const int* a, const int* b, int* c, int n) { vector_add(a, b, c, n); }

TEST_CASE("any number of workers, each with its own elements") {
  const int n = 50;
  const std::vector<int> a(n, 1), b(n, 2);
  for (int workers : {1, 2, 3, 7, 100}) {
    std::vector<int> c(n, 0), expected(n, 0);
    for (int worker = 0; worker < workers; worker++) {
      for (int i = worker; i < n; i += workers) expected[i] = 3;
      add(a.data(), b.data(), c.data(), n, worker, workers);
      CHECK(c == expected);
    }
    CHECK(c == std::vector<int>(n, 3));
  }
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
