#define main program_main
#include "../appA_hashtable/hash_exchange.cu"
#undef main

#include "hash_check.h"

TEST_CASE("every key is found once") { check_builds(build_with); }

TEST_CASE("the program") { check_hash_program(); }
