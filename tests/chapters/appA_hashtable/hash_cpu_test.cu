#define main program_main
#include "../../../appA_hashtable/hash_cpu.cu"
#undef main

#include <doctest/doctest.h>

#include "../../harness/bad_input.h"

TEST_CASE("every key is found once") {
  for (const char* kind : {"random", "equal"})
    for (size_t n : {0, 1, 2, 1000, 4099})
      for (size_t buckets : {1, 2, 7, 1024, 100000}) {
        const std::vector<unsigned int> keys = make_keys(kind, n), values = make_values(n);
        Times times;
        CHECK(find_fault(build_on_cpu(keys, values, buckets, &times), keys, values) == "");
      }
}

TEST_CASE("a table that is wrong is found out") {
  const std::vector<unsigned int> keys = {1, 2, 3, 1, 10}, values = make_values(5);
  Times times;
  HostTable good = build_on_cpu(keys, values, 4, &times);
  REQUIRE(find_fault(good, keys, values) == "");
  const auto fault = [&](const std::function<void(HostTable&)>& damage) {
    HostTable table = build_on_cpu(keys, values, 4, &times);
    damage(table);
    return find_fault(table, keys, values);
  };
  CHECK(fault([](HostTable& t) { t.entries[3] = nullptr; }) ==
        "1 of 5 keys are lost, the first is number 2");
  CHECK(fault([](HostTable& t) { t.entries[1]->next = nullptr; }) ==
        "1 of 5 keys are lost, the first is number 0");
  // A ring does not end, and two buckets may share an entry.
  CHECK(fault([](HostTable& t) { t.pool[0].next = t.entries[1]; }) ==
        "bucket 1 holds entry 3 for the second time");
  CHECK(fault([](HostTable& t) { t.entries[0] = t.entries[2]; }) ==
        "bucket 0 holds key 10, which belongs to 2");
  CHECK(fault([](HostTable& t) { t.pool[4].value++; }).find("bucket 2: entry 4 has key 10") == 0);
  CHECK(fault([](HostTable& t) { t.pool[4].key = 14; }).find("expected 10") != std::string::npos);
  CHECK(fault([](HostTable& t) { t.entries[0] = t.pool.data() + 5; }) ==
        "bucket 0 leads out of the pool");
  CHECK(fault([](HostTable& t) { t.entries[0] = t.pool.data() - 1; }) ==
        "bucket 0 leads out of the pool");
}

TEST_CASE("the bucket of a key") {
  CHECK(hash(10, 7) == 3);
  CHECK(hash(0, 5) == 0);
  CHECK(hash(1024, 1024) == 0);
  CHECK(hash(4294967295u, 1024) == 1023);
  CHECK(hash(4294967295u, 1) == 0);
  CHECK(hash(4294967290u, 4294967295u) == 4294967290u);
  // A list is in the reverse order of the insertions.
  Times times;
  const std::vector<unsigned int> keys = {3, 10, 4, 17}, values = {1, 2, 3, 4};
  const HostTable table = build_on_cpu(keys, values, 7, &times);
  std::vector<unsigned int> third;
  for (const Entry* entry = table.entries[3]; entry != nullptr; entry = entry->next)
    third.push_back(entry->key);
  CHECK(third == std::vector<unsigned int>{17, 10, 3});
  CHECK(table.entries[4]->value == 3);
  CHECK(table.entries[0] == nullptr);
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "10007"}) {
    const course::RunResult result = course::run_program({"--size", size, "--buckets", "3"});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "each found once"));
  }
  course::check_refused({"--buckets", "0"}, "--buckets must be");
  course::check_refused({"--size", "4000000001"}, "--size must be");
}

TEST_CASE("keys that all belong into one bucket of 1024") {
  const std::vector<unsigned int> keys = make_keys("multiples", 1000);
  for (size_t i = 0; i < keys.size(); i++) CHECK(keys[i] == 1024 * i);
}
