#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../appA_hashtable/hash_exchange.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "hash_check.h"

TEST_CASE("every key is found once") { check_builds(build_with); }

TEST_CASE("the program") { check_hash_program(); }

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
