#define main program_main
#include "../../../nbody/nbody_cpu.cu"
#undef main

#include "nbody_check.h"

TEST_CASE("the plain loop") {
  for (const int n : {0, 1, 2, 31, 1000, 4001}) {
    CAPTURE(n);
    const nbody::Bodies bodies = nbody::random_bodies(n);
    std::vector<float3> result(n);
    nbody::gravity_cpu(bodies.positions.data(), n, nbody::softening_squared(0.05f), result.data());
    CHECK(nbody::accuracy(bodies.positions, result, 0.05f).relative_error < 1e-5);
  }
}

TEST_CASE("the formula") {
  // A mass of 8 at distance 2 pulls with 8 / 2^2, here along z.
  double3 pull = make_double3(0, 0, 0);
  nbody::attract(pull, 0.0, 0.0, 2.0, 8.0, 0.0);
  CHECK(pull.x == 0);
  CHECK(pull.y == 0);
  CHECK(pull.z == doctest::Approx(2));
  // Softened by 3, at (0, 0, 4): 4 * 50 / (16 + 9)^(3/2).
  pull = make_double3(1, 0, 0);
  nbody::attract(pull, 0.0, 0.0, 4.0, 50.0, 9.0);
  CHECK(pull.x == 1);
  CHECK(pull.z == doctest::Approx(1.6));
  // A body does not pull itself, with the smallest softening and the largest mass there is.
  float3 self = make_float3(0, 0, 0);
  nbody::attract(self, 0.0f, 0.0f, 0.0f, nbody::kLargestMass, nbody::softening_squared(0));
  CHECK(self.x == 0);
}

TEST_CASE("softening") {
  CHECK(nbody::softening_squared(3) == 9);
  CHECK(nbody::softening_squared(0.5f) == 0.25f);
  CHECK(nbody::softening_squared(0) == doctest::Approx(1e-20).scale(0));
  // Two bodies, softened, by hand: see check_by_hand().
  nbody::Bodies bodies;
  bodies.add(2, 0, 0, 0, 0, 0, 0);
  bodies.add(50, 0, 4, 0, 0, 0, 0);
  std::vector<float3> pull(2);
  nbody::gravity_cpu(bodies.positions.data(), 2, nbody::softening_squared(3), pull.data());
  CHECK(pull[0].y == doctest::Approx(1.6));
  CHECK(pull[1].y == doctest::Approx(-0.064));
  CHECK(nbody::reference_acceleration(bodies.positions, 0, 3).y == doctest::Approx(1.6));
}

TEST_CASE("what is compared") {
  CHECK(nbody::bodies_to_compare(0).empty());
  CHECK(nbody::bodies_to_compare(3) == std::vector<int>{0, 1, 2});
  CHECK(nbody::bodies_to_compare(5792).size() == 5792);
  const std::vector<int> some = nbody::bodies_to_compare(1 << 20);
  REQUIRE(some.size() == 32);
  for (int i = 0; i < 32; i++) CHECK(some[i] == i << 15);
  CHECK(nbody::bodies_to_compare(1000000000).size() == 1);
  CHECK(nbody::error_bound(100) == 1e-5);
  CHECK(nbody::error_bound(4 * 65536) == doctest::Approx(2e-5).scale(0));
  // An error of a tenth of the only acceleration that there is.
  nbody::Bodies bodies;
  bodies.add(0, 0, 0, 0, 0, 0, 0);
  bodies.add(1, 1, 0, 0, 0, 0, 0);
  const nbody::Accuracy accuracy =
      nbody::accuracy(bodies.positions, {make_float3(1.1f, 0, 0), make_float3(0, 0, 0)}, 0);
  CHECK(accuracy.compared == 2);
  CHECK(accuracy.relative_error == doctest::Approx(0.1));
  CHECK(accuracy.worst == 0);
  CHECK(accuracy.worst_expected.x == doctest::Approx(1));
}

TEST_CASE("figures from given times") {
  CHECK(nbody::interactions_per_second(1000, 2) == doctest::Approx(5e8).scale(0));
  CHECK(nbody::interactions_per_second(1000, 0) == 0);
  // 32 chains, 10 rounds, 256 threads, 4 blocks: 327680 multiply-adds in 2 ms.
  CHECK(nbody::multiply_add_operations(10, 256, 4, 2) == doctest::Approx(3.2768e8).scale(0));
}

TEST_CASE("the kernel that measures the peak does what is counted") {
  constexpr int kRounds = 6, kThreads = 64, kBlocks = 3;
  float* out;
  HANDLE_ERROR(cudaMalloc(&out, kThreads * kBlocks * sizeof(float)));
  nbody::multiply_add_kernel<<<kBlocks, kThreads>>>(out, 0.5f, kRounds);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<float> sums(kThreads * kBlocks);
  HANDLE_ERROR(cudaMemcpy(sums.data(), out, sums.size() * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(out));
  // x becomes x / 2 + 1, 6 times: 2 + (x - 2) / 64. The sum over x = t, t + 1, ..., t + 31.
  for (int i = 0; i < kThreads * kBlocks; i++)
    CHECK(sums[i] == doctest::Approx(64 + (32.0 * (i % kThreads) + 496 - 64) / 64));
  for (const int thread : {0, 1, kThreads - 1})
    CHECK(nbody::multiply_add_total(thread, 0.5f, kRounds) == doctest::Approx(sums[thread]));
  CHECK(nbody::multiply_add_total(3, 0.25f, 0) == doctest::Approx(3 * 32 + 496));
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "2", "1000"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(course::contains(result.out, "accelerations right"));
    CHECK(course::is_quotient(course::printed_after(result.out, " ms, "),
                              1e-6 * atof(size) * atof(size), {1, 1},
                              course::printed_after(result.out, "double precision\n")));
  }
  course::check_number_option("size");
  course::check_refused({"--file", "missing.txt"}, "No such file or directory");
}
