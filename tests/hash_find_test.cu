#include "watch_calls.h"

#define main program_main
#include "../appA_hashtable/hash_find.cu"
#undef main

#include <doctest/doctest.h>

#include "bad_input.h"
#include "damaged_run.h"
#include "run_program.h"

TEST_CASE("what is there is found, and nothing else") {
  for (const char* kind : {"random", "equal"})
    for (size_t n : {0, 1, 2, 31, 33, 255, 1000, 4099})
      for (int partitions : {1, 7, 1024})
        for (unsigned int more : {1u, 5000u}) {
          const std::vector<unsigned int> keys = make_keys(kind, n);
          std::vector<unsigned int> questions = make_questions(keys);
          for (unsigned int key : {0u, 1u, 0xffffffffu, 0xaadbaccu}) questions.push_back(key);
          const std::vector<unsigned int> values =
              ask(keys, questions, static_cast<unsigned int>(n) + more, partitions);
          CHECK_MESSAGE(find_fault(keys, questions, values) == "", kind, n, partitions, more);
        }
}

TEST_CASE("keys at the ends of their range") {
  const std::vector<unsigned int> keys = {0xffffffff, 0, 1, 0xfffffffe, 0x80000000};
  for (int partitions : {1, 256})
    CHECK(ask(keys, keys, 6, partitions) == std::vector<unsigned int>{0, 1, 2, 3, 4});
}

TEST_CASE("wrong answers are seen") {
  const std::vector<unsigned int> keys = {5, 6}, questions = {5, 7};
  CHECK(find_fault(keys, questions, {0, kNothing}) == "");
  CHECK(find_fault(keys, questions, {kNothing, kNothing}) == "key 5 is not found");
  CHECK(find_fault(keys, questions, {1, kNothing}) != "");
  CHECK(find_fault(keys, questions, {0, 2}) != "");
}

TEST_CASE("the program") {
  for (const char* kind : {"random", "equal"})
    for (const char* size : {"0", "1", "10007"})
      for (const char* load : {"1", "95"}) {
        const course::RunResult result =
            course::run_program({"--keys", kind, "--size", size, "--load", load});
        CHECK(result.exit_code == 0);
        CHECK_MESSAGE(course::contains(result.out, "all verified"), result.out);
        CHECK(result.err == "");
      }
  course::check_refused({"--load", "0"}, "--load must be");
  course::check_refused({"--partitions", "1025"}, "--partitions must be");
  course::check_refused({"--keys", "none"}, "--keys must be one of random|equal");
  course::check_refused({"--size", "1000000000", "--load", "1"}, "4000000000 places at most");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
