#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch04_parallel/vector_add_tiles.cu"
#undef main

#include <stdlib.h>

#include "../../harness/damaged_run.h"
#include "vector_add_check.h"

void add_vectors(const int* a, const int* b, int* c, int n) { vector_add(a, b, c, n); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
