#define main program_main
#include "../../../appA_hashtable/hash_lost_insert.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"

TEST_CASE("one of two words is lost") { CHECK(show_two_inserts() == 1); }

TEST_CASE("many keys in few buckets: most are lost, never all") {
  for (size_t n : {64, 1000, 20011}) {
    const size_t found = count_found(make_keys("random", n), 1);
    CHECK(found >= 1);
    CHECK(found < n);
  }
}

TEST_CASE("the program") {
  for (const char* order : {"forward", "reverse", "shuffle:3"}) {
    course::RunOptions options;
    options.environment["CPU_DEVICE_ORDER"] = order;
    const course::RunResult result = course::run_program({}, options);
    CHECK(result.exit_code == 0);
    CHECK_MESSAGE(course::contains(result.out, "broken as intended: "), result.out);
    CHECK(course::contains(result.out, "-> nothing (1 of 2 words)"));
  }
  const course::RunResult few = course::run_program({"--size", "2"});
  CHECK(few.exit_code == 0);
  CHECK(course::contains(few.out, "use more keys or fewer buckets"));
  CHECK(course::contains(course::run_program({"--size", "17"}).out, "broken as intended: "));
  course::check_refused({"--size", "1"}, "--size must be");
}
