#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../appA_hashtable/dot_atomic_add.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "finished_dot_check.h"

TEST_CASE("small whole numbers, whose sums are exact in any order") {
  course::check_finished_dot([](const std::vector<float>& a, const std::vector<float>& b,
                                int blocks) { return dot_on_device(a, b, blocks); });
}

TEST_CASE("the program") { course::check_finished_dot_program(); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
