#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../appA_hashtable/hash_one_lock.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "hash_check.h"

TEST_CASE("every key is found once") { check_builds(build_with); }

TEST_CASE("the program") { check_hash_program(); }

TEST_CASE("with warps in lockstep the threads take turns, too") {
  course::RunOptions options;
  options.environment["CPU_DEVICE_LOCKSTEP"] = "1";  // a GPU does not care
  for (const char* size : {"1", "33", "2000"}) {
    const course::RunResult result =
        course::run_program({"--size", size, "--buckets", "16"}, options);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(result.err == "");
  }
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
