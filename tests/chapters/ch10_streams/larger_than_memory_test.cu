#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch10_streams/larger_than_memory.cu"
#undef main

#include <doctest/doctest.h>

#include <climits>
#include <cstdlib>
#include <set>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

TEST_CASE("chunks fit into the memory they are made for") {
  for (size_t bytes = 1; bytes < (size_t(1) << 40); bytes = bytes * 3 + 1) {
    const size_t chunk = chunk_for(bytes);
    CHECK(chunk % kGroup == 0);
    CHECK(6 * chunk * sizeof(int) <= bytes);
  }
  CHECK(chunk_for(1 << 20) > 0);
}

TEST_CASE("averages by hand, and by definition") {
  // Groups of 256; the last, of 2, has the neighbors 1, 0 for its element 1.
  std::vector<int> a(258), b(258);
  for (int i = 0; i < 258; i++) {
    a[i] = 6 * i;
    b[i] = -6000;
  }
  CHECK(average_of_neighbors(a.data(), b.data(), 0, 258) == 3 - 3000);            // 0, 1, 2
  CHECK(average_of_neighbors(a.data(), b.data(), 100, 258) == 303 - 3000);        // 100, 101, 102
  CHECK(average_of_neighbors(a.data(), b.data(), 255, 258) == 256 - 3000);        // 255, 0, 1
  CHECK(average_of_neighbors(a.data(), b.data(), 254, 258) == 254 + 255 - 3000);  // 254, 255, 0
  CHECK(average_of_neighbors(a.data(), b.data(), 257, 258) == 257 + 256 + 257 - 3000);
  const int large[] = {INT_MAX, INT_MAX, INT_MAX};
  CHECK(average_of_neighbors(large, large, 1, 3) == INT_MAX);
  CHECK(blocks_for(1) == 1);
  CHECK(blocks_for(256) == 1);
  CHECK(blocks_for(257) == 2);
}

TEST_CASE("the result does not depend on the chunk") {
  for (size_t n : {0, 1, 255, 256, 257, 5003}) {
    std::vector<int> a(n), b(n);
    fill_randomly(a.data(), n, 1);
    fill_randomly(b.data(), n, 2);
    const std::vector<int> expected = average_on_cpu(a.data(), b.data(), n);
    for (size_t chunk : {256, 512, 2048, 65536}) {
      std::vector<int> c(n, -1);
      course::watched().clear();
      average_in_chunks(a.data(), b.data(), c.data(), n, chunk);
      CHECK_MESSAGE(c == expected, n, chunk);
      std::set<cudaStream_t> streams;
      for (const course::WatchedCopy& copy : course::watched().copies) streams.insert(copy.stream);
      CHECK(streams.size() == std::min<size_t>((n + chunk - 1) / chunk, 2));
    }
  }
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "100003"}) {
    const course::RunResult result = course::run_program({"--size", size, "--memory", "1000000"});
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "all verified"));
    course::check_rate(result.out, " ms, ", 12e-6 * atof(size), "pinning and allocation: ");
  }
  CHECK(course::contains(course::run_program({"--size", "100003", "--memory", "1000000"}).out,
                         "100003 averages in 4 chunks"));
  // Around each whole number of chunks.
  const size_t chunk = chunk_for(1000000);
  for (const size_t n : {size_t{0}, size_t{1}, chunk - 1, chunk, chunk + 1, 2 * chunk - 1,
                         2 * chunk, 2 * chunk + 1, 3 * chunk}) {
    size_t chunks = 0;
    while (chunks * chunk < n) chunks++;
    const std::string said = std::to_string(chunks) + (chunks == 1 ? " chunk," : " chunks,");
    const course::RunResult result =
        course::run_program({"--size", std::to_string(n), "--memory", "1000000"});
    CHECK_MESSAGE(course::contains(result.out, "in " + said), n << ": " << result.out);
  }
  // Two streams with three arrays of 100003 ints.
  CHECK(course::contains(course::run_program({"--size", "100003"}).out, "used at most 2.4 MB"));
  course::check_refused({"--memory", "1000"}, "give it more with --memory");
  if (!course::on_cpu_device()) return;
  // Data of 12 MB on a device of 2 MB.
  course::RunOptions options;
  options.environment["CPU_DEVICE_MEMORY"] = "2000000";
  const course::RunResult result =
      course::run_program({"--size", "1000000", "--memory", "0"}, options);
  CHECK(result.exit_code == 0);
  CHECK_MESSAGE(course::contains(result.out, "data 12 MB; device memory 2.0 MB"), result.out);
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "1000"}); }
