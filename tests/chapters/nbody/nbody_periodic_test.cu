#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../nbody/nbody_periodic.cu"
#undef main

#include <limits>

#include "../../harness/damaged_run.h"
#include "nbody_check.h"

using nbody::Box;

namespace {

// Positions are multiples of 3 * 2^-20, so that they can be moved by whole boxes without rounding,
// and no two are exactly half a box apart: both images would be the nearest.
Box coarse_box(int n) {
  course::Random random(4);
  Box box;
  for (int i = 0; i < n; i++) {
    const float x = 3 * random.below(349525) * 0x1p-20f, y = 3 * random.below(349525) * 0x1p-20f;
    box.positions.push_back(make_float2(x, y));
    box.masses.push_back(i % 4 == 1 ? 0.0f : random.uniform(0, 3));
  }
  box.velocities.assign(n, make_float2(0, 0));
  return box;
}

std::vector<float2> accelerations(Box box, float softening, int threads = 64,
                                  nbody::Memory memory = nbody::Memory::kShared) {
  std::vector<float2> track, result;
  nbody::run_periodic(box, nbody::softening_squared(softening), 0, 0, threads, track, result,
                      memory);
  return result;
}

// What the program prints as the change of the energy.
double energy_change(const std::vector<std::string>& args) {
  const course::RunResult result = course::run_program(args);
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  const char* const words = "at the end: changed by ";
  const size_t at = result.out.find(words);
  CHECK_MESSAGE(at != std::string::npos, result.out);
  return at == std::string::npos ? -1 : atof(result.out.c_str() + at + strlen(words));
}

}  // namespace

TEST_CASE("the nearest image") {
  CHECK(nbody::nearest(0.25f) == 0.25f);
  CHECK(nbody::nearest(0.75f) == -0.25f);
  CHECK(nbody::nearest(-0.75f) == 0.25f);
  CHECK(nbody::nearest(3.25f) == 0.25f);
  CHECK(nbody::nearest(-7.125f) == -0.125f);
  CHECK(fabs(nbody::nearest(0.5f)) == 0.5f);
  CHECK(nbody::nearest(0.0f) == 0.0f);
}

TEST_CASE("back into the box") {
  CHECK(nbody::wrap(0.25f) == 0.25f);
  CHECK(nbody::wrap(1.0f) == 0.0f);
  CHECK(nbody::wrap(5.75f) == 0.75f);
  CHECK(nbody::wrap(-2.25f) == 0.75f);
  CHECK(nbody::wrap(-1e-12f) == 0.0f);  // and not 1
  for (const float far : {1e9f, -1e9f, 1e30f, std::numeric_limits<float>::max()}) {
    CHECK(nbody::wrap(far) >= 0);
    CHECK(nbody::wrap(far) < 1);
  }
}

TEST_CASE("accelerations") {
  for (const int n : {0, 1, 2, 31, 255, 256, 257, 1000, 1023, 1024, 1025, 4001, 10007}) {
    CAPTURE(n);
    const Box box = coarse_box(n);
    const float softening = 0.01f;
    CHECK(nbody::periodic_error(box, accelerations(box, softening),
                                nbody::softening_squared(softening)) < 1e-5);
  }
  const Box box = coarse_box(1025);
  for (const int threads : {1, 2, 7, 33, 256, 1000, 1024}) {
    CAPTURE(threads);
    CHECK(nbody::periodic_error(box, accelerations(box, 0.01f, threads),
                                nbody::softening_squared(0.01f)) < 1e-5);
  }
}

TEST_CASE("accelerations from global memory") {
  for (const int n : {1, 2, 257, 1025}) {
    CAPTURE(n);
    const Box box = coarse_box(n);
    CHECK(nbody::periodic_error(box, accelerations(box, 0.01f, 33, nbody::Memory::kGlobal),
                                nbody::softening_squared(0.01f)) < 1e-5);
  }
}

TEST_CASE("the energy of two bodies, by hand") {
  Box box;
  box.positions = {make_float2(0.125f, 0.5f), make_float2(0.875f, 0.5f)};  // 1/4 apart
  box.velocities = {make_float2(3, 0), make_float2(0, -1)};
  box.masses = {1.0f, 2.0f};
  CHECK(nbody::energy(box, 0) == doctest::Approx(4.5 + 1 - 2 / 0.25));
  CHECK(nbody::energy(box, 3.0f / 16) == doctest::Approx(5.5 - 2 / 0.5));
}

TEST_CASE("the default steps keep the energy; the source's do not") {
  const double change = energy_change({"--size", "1024", "--steps", "50"});
  CHECK(change >= 0);
  CHECK(change < 1e-3);
  CHECK(energy_change({"--size", "1024", "--steps", "50", "--as-the-source"}) > 0.1);
}

TEST_CASE("the source's bodies have a mass of 1 each") {
  const auto energy_at_start = [](std::vector<std::string> args) {
    args.insert(args.end(), {"--size", "50", "--steps", "1"});
    const course::RunResult result = course::run_program(args);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    return course::printed_after(result.out, "energy ");
  };
  const course::Printed together = energy_at_start({"--softening", "0"});
  CHECK(together.high < 0);
  // Bodies at rest have only potential energy: each pair has 50 * 50 times as much.
  CHECK(course::is_quotient(energy_at_start({"--as-the-source"}), 2500, together, {1, 1}));
}

TEST_CASE("two bodies pull through the side of the box") {
  Box box;
  box.positions = {make_float2(0.125f, 0.5f), make_float2(0.875f, 0.5f)};
  box.velocities.assign(2, make_float2(0, 0));
  box.masses = {1.0f, 2.0f};
  const std::vector<float2> result = accelerations(box, 0);
  CHECK(result[0].x == doctest::Approx(-2 / (0.25 * 0.25)));
  CHECK(result[1].x == doctest::Approx(1 / (0.25 * 0.25)));
  CHECK(result[0].y == 0);
}

TEST_CASE("moving bodies by the length of the box changes nothing") {
  const Box box = coarse_box(1000);
  const std::vector<float2> expected = accelerations(box, 0.01f);
  for (const float2 shift : {make_float2(1, 0), make_float2(0, -1), make_float2(1, 1)}) {
    Box all = box, some = box;
    for (int i = 0; i < box.count(); i++) {
      all.positions[i].x += shift.x;
      all.positions[i].y += shift.y;
      if (i % 3 == 0) some.positions[i] = all.positions[i];
    }
    for (const Box& moved : {all, some}) {
      const std::vector<float2> result = accelerations(moved, 0.01f);
      int different = 0;
      for (int i = 0; i < box.count(); i++)
        different += result[i].x != expected[i].x || result[i].y != expected[i].y;
      CHECK(different == 0);
    }
  }
}

TEST_CASE("a step by hand: kick, then drift, and back into the box") {
  Box box;
  box.positions = {make_float2(0.25f, 0.0625f), make_float2(0.25f, 0.9375f)};
  box.velocities = {make_float2(0, 0), make_float2(8, 0)};
  box.masses = {1.0f, 0.5f};
  const float dt = 0.0625f, softening_squared = nbody::softening_squared(0);
  Box on_cpu = box;
  std::vector<float2> track, accelerations;
  nbody::step_cpu(on_cpu, softening_squared, dt);
  nbody::run_periodic(box, softening_squared, dt, 1, 64, track, accelerations);
  // 1/8 apart through the side: pulls of 32 and 64; kicks of 2 and 4, drifts of 1/8 and 1/4.
  for (const Box& one : {on_cpu, box}) {
    CHECK(one.velocities[0].x == doctest::Approx(0));
    CHECK(one.velocities[0].y == doctest::Approx(-2));
    CHECK(one.velocities[1].y == doctest::Approx(4));
    CHECK(one.positions[0].x == doctest::Approx(0.25));
    CHECK(one.positions[0].y == doctest::Approx(0.9375));
    CHECK(one.positions[1].x == doctest::Approx(0.75));
    CHECK(one.positions[1].y == doctest::Approx(0.1875));
  }
}

TEST_CASE("steps") {
  // On the CPU and on the device; bodies cross the sides of the box.
  Box box = coarse_box(500);
  course::Random random(9);
  for (float2& v : box.velocities) v = make_float2(random.uniform(-9, 9), random.uniform(-9, 9));
  const float softening_squared = nbody::softening_squared(0.05f);
  std::vector<float2> track, ignored;
  Box at_once = box;
  nbody::run_periodic(at_once, softening_squared, 0.01f, 20, 64, track, ignored);
  // Each step again from where the device is: close encounters make much of a difference in
  // rounding, so that after 20 steps the CPU's bodies may be anywhere.
  for (int step = 0; step < 20; step++) {
    Box expected = box;
    nbody::step_cpu(expected, softening_squared, 0.01f);
    std::vector<float2> one_step;
    nbody::run_periodic(box, softening_squared, 0.01f, 1, 64, one_step, ignored);
    CHECK(nbody::largest_distance(box, expected) < 1e-3);
    int apart = 0;
    for (int i = 0; i < box.count(); i++)
      apart += fabsf(nbody::nearest(box.positions[i].x - expected.positions[i].x)) > 1e-5f ||
               fabsf(nbody::nearest(box.positions[i].y - expected.positions[i].y)) > 1e-5f;
    CHECK(apart <= 6);  // whose nearest image, half a box away, is another for the CPU
    CHECK(one_step[0].x == box.positions[0].x);
  }
  for (int i = 0; i < box.count(); i++) {
    CHECK(at_once.positions[i].x == box.positions[i].x);
    CHECK(at_once.positions[i].y == box.positions[i].y);
  }
  for (const float2 p : box.positions) CHECK((p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1));
  REQUIRE(track.size() == 20);
  CHECK(track[19].x == box.positions[0].x);
  CHECK(track[19].y == box.positions[0].y);
  CHECK(track[0].x != track[19].x);
}

TEST_CASE("the program") {
  for (const char* size : {"0", "1", "2", "500"}) {
    const course::RunResult result = course::run_program({"--size", size, "--steps", "10"});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(course::contains(result.out, "global memory: accelerations right"));
    CHECK(course::contains(result.out, "shared memory: accelerations right"));
    CHECK_FALSE(course::contains(result.out, "nan"));
  }
  const course::RunResult one = course::run_program({"--size", "300", "--steps", "1"});
  CHECK_MESSAGE(one.exit_code == 0, one.err);
  for (const char* name : {"size", "steps", "cpu-steps", "threads", "seed"})
    course::check_number_option(name);
  course::check_refused({"--threads", "0"}, "--threads must be a whole number, 1 to 1024");
  course::check_refused({"--threads", "2000"}, "--threads must be a whole number, 1 to 1024");
  course::check_refused({"--softening", "nan"}, "--softening must be a number");
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--steps", "2"});
}
