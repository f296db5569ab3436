#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../appA_hashtable/hash_find.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"
#include "../../harness/run_program.h"

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

TEST_CASE("where a key belongs") {  // MurmurHash3's fmix32(), worked out in Python
  CHECK(mix(0) == 0);
  CHECK(mix(1) == 0x514e28b7);
  CHECK(mix(0xffffffff) == 0x81f16f39);
  CHECK(place_of(1, 1000) == 317);
}

TEST_CASE("a key takes one place, however often it is inserted") {
  DeviceTable device({5, 5, 6, 5}, 10, 1);
  device.build();
  std::vector<Slot> slots(10);
  REQUIRE(cudaMemcpy(slots.data(), device.table.slots, 10 * sizeof(Slot), cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  CHECK(std::count(slots.begin(), slots.end(), kEmpty) == 8);
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
  const course::RunResult one = course::run_program({"--size", "1", "--load", "50"});
  CHECK_MESSAGE(course::contains(one.out, "1 key (random) in 3 places, 1 of 1 question found"), one.out);
  // Every other question is for one of the keys; 10007 keys are 95 % of 10533 places, and 1 more.
  const course::RunResult timed =
      course::run_program({"--keys", "equal", "--size", "10007", "--load", "95"});
  CHECK_MESSAGE(course::contains(timed.out, "in 10534 places, 5004 of 10007 questions found"),
                timed.out);
  course::check_rate(timed.out, " ms, ", 10.007, "insert ");
  course::check_rate(timed.out.substr(timed.out.find("; find ")), " ms, ", 10.007, "find ");
  course::check_refused({"--load", "0"}, "--load must be");
  course::check_refused({"--partitions", "1025"}, "--partitions must be");
  course::check_refused({"--keys", "none"}, "--keys must be one of random|equal");
  course::check_refused({"--size", "1000000000", "--load", "1"}, "4000000000 places at most");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }

TEST_CASE("keys are sorted by parts if that is asked for") {
  for (const bool parts : {false, true}) {
    course::watched().clear();
    std::string arguments[] = {"program", "--size=100",
                               parts ? "--partitions=4" : "--partitions=1"};
    char* argv[] = {&arguments[0][0], &arguments[1][0], &arguments[2][0], nullptr};
    CHECK(program_main(3, argv) == 0);
    // Tables are built six times, and asked seven times; and the timer asks for errors once.
    CHECK(course::watched().launches[0] == 6 * (parts ? 4 : 1) + 7 + 1);
  }
}
