#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch05_threads/dot_last_block.cu"
#undef main

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "dot_check.h"

TEST_CASE("random vectors of awkward lengths") { course::check_dot(dot, additions); }

TEST_CASE("every length up to some blocks: all rests") {
  course::Random random(2);
  std::vector<float> a(2100), b(2100);
  for (float& x : a) x = random.uniform(-1, 1);
  for (float& x : b) x = random.uniform(-1, 1);
  for (size_t n = 0; n < a.size(); n += n < 40 ? 1 : 37) {
    const double result = dot(a.data(), b.data(), n);
    const DotReference reference = dot_reference(a.data(), b.data(), n, additions(n));
    CHECK_MESSAGE(std::fabs(result - reference.value) <= reference.bound, n);
  }
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "15", "16", "17", "1000", "1021", "1024", "33792"})
    CHECK(course::run_program({"--size", size}).exit_code == 0);
}

TEST_CASE("bad options") {
  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--size", "1000000000000"}, "needs 8.0 TB on the device");
  course::check_refused({"--threads", "256"}, "there is no option");
}

TEST_CASE("the next launch begins as the first did, and gives the same bits") {
  course::Random random(3);
  std::vector<float> a(100003), b(a.size());
  for (float& x : a) x = random.uniform(-1, 1);
  for (float& x : b) x = random.uniform(-1, 1);
  const DeviceVectors vectors(a.data(), b.data(), a.size());
  float first = 0;
  for (int launch = 0; launch < 3; launch++) {
    HANDLE_ERROR(cudaMemset(vectors.result, 0xff, sizeof(float)));
    vectors.launch();
    float result = 0;
    HANDLE_ERROR(cudaMemcpy(&result, vectors.result, sizeof result, cudaMemcpyDeviceToHost));
    if (launch == 0) first = result;
    CHECK(result == first);
  }
}

TEST_CASE("a wrong result is noticed, a slightly wrong one, too") {
  course::check_damage_is_noticed({"--size", "1000"});
  course::check_damage_is_noticed({"--size", "1000"}, true);
}

TEST_CASE("figures, blocks, and the longest chain of additions") {
  const course::RunResult result = course::run_program({"--size", "300001"});
  course::check_rate(result.out, "the kernel reads ", 8e-6 * 300001, "kernel ");
  CHECK(blocks_for(2048) == 1);  // 8 products for each thread
  CHECK(blocks_for(4096) == 2);
  CHECK(additions(1000) == 2 + 3 + 2 * (5 + 8));
}
