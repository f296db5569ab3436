#define main program_main
#include "../nbody/nbody_pairs.cu"
#undef main

#include "nbody_check.h"

TEST_CASE("accelerations") { nbody::check_version(nbody::kPairs); }

TEST_CASE("wrong accelerations are seen") { nbody::check_that_errors_are_seen(nbody::kPairs); }

TEST_CASE("the program") { nbody::check_program(); }
