#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../nbody/nbody_tiles.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "nbody_check.h"

TEST_CASE("accelerations") { nbody::check_version(nbody::kTiles); }

TEST_CASE("wrong accelerations are seen") { nbody::check_that_errors_are_seen(nbody::kTiles); }

TEST_CASE("the program") { nbody::check_program(); }

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--steps", "1"});
}
