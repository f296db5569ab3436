#define main program_main
#include "../nbody/nbody_cpu.cu"
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

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "2", "1000"}) {
    const course::RunResult result = course::run_program({"--size", size});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(course::contains(result.out, "accelerations right"));
  }
  course::check_number_option("size");
  course::check_refused({"--file", "missing.txt"}, "No such file or directory");
}
