#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch11_multigpu/dot_managed.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "multigpu_check.h"

TEST_CASE("awkward sizes, with and without fetching ahead") {
  for (bool ahead : {false, true})
    check_dot_on_device([ahead](const Vectors& vectors, int blocks) {
      const size_t n = vectors.a.size();
      float *a = allocate(n), *b = allocate(n);
      std::copy(vectors.a.begin(), vectors.a.end(), a);
      std::copy(vectors.b.begin(), vectors.b.end(), b);
      const double result = dot_on_device(a, b, n, blocks, ahead);
      for (float* memory : {a, b}) CHECK(cudaFree(memory) == cudaSuccess);
      return result;
    });
}

TEST_CASE("the program") {
  check_device_program();
  const course::RunResult result = course::run_program({"--size", "1000"});
  CHECK(course::contains(result.out, "pages on demand: "));
  CHECK(result.out.find("pages prefetched: ") > result.out.find("pages on demand: "));
  CHECK(course::contains(result.out, "pages prefetched: "));
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "1000", "--blocks", "2"});
}
