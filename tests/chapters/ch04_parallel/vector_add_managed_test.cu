#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch04_parallel/vector_add_managed.cu"
#undef main

#include <algorithm>

#include "../../harness/damaged_run.h"
#include "vector_add_check.h"

void add_vectors(const int* a, const int* b, int* c, int n) {
  int *managed_a = allocate(n), *managed_b = allocate(n), *managed_c = allocate(n);
  std::copy(a, a + n, managed_a);
  std::copy(b, b + n, managed_b);
  vector_add(managed_a, managed_b, managed_c, n);
  std::copy(managed_c, managed_c + n, c);
  for (int* memory : {managed_a, managed_b, managed_c}) CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
