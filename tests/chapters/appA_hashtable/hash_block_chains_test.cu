#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../appA_hashtable/hash_block_chains.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "hash_check.h"

TEST_CASE("every key is found once") { check_builds(build_with, most_buckets()); }

TEST_CASE("as many buckets as fit into shared memory, and no more") {
  const size_t most = most_buckets();
  CHECK(most >= 1024);
  const std::vector<unsigned int> keys = make_keys("random", 3001), values = make_values(3001);
  CHECK(find_fault(build_table(keys, values, most, build_with(2, 256)), keys, values) == "");
  CHECK(course::run_program({"--buckets", std::to_string(most), "--size", "1000"}).exit_code == 0);
  course::check_refused({"--buckets", std::to_string(most + 1)}, "fit into shared memory");
}

TEST_CASE("the program") {
  for (const char* kind : {"random", "equal"})
    for (const char* size : {"0", "1", "10007"})
      CHECK(course::run_program({"--keys", kind, "--size", size}).exit_code == 0);
  course::check_refused({"--buckets", "0"}, "--buckets must be");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
