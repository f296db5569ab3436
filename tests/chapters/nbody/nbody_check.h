// What every version of all-pairs gravity must get right: for the tests of nbody/.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <cmath>
#include <string>
#include <vector>

#include "../../../nbody/program.h"
#include "../../harness/bad_input.h"
#include "../../harness/figures.h"

namespace nbody {

// Bodies without any order: positions of very different distances, masses from 0 to 10.
inline Bodies random_bodies(int n, int seed = 5) {
  course::Random random(seed);
  Bodies bodies;
  for (int i = 0; i < n; i++) {
    const float scale = i % 7 == 0 ? 10.0f : 1.0f;
    const float x = random.uniform(-scale, scale), y = random.uniform(-scale, scale),
                z = random.uniform(-scale, scale);
    const float mass = i % 5 == 3 ? 0.0f : random.uniform(0, 10);
    const float vx = random.uniform(-1, 1), vy = random.uniform(-1, 1), vz = random.uniform(-1, 1);
    bodies.add(mass, x, y, z, vx, vy, vz);
  }
  return bodies;
}

inline bool same_bits(const std::vector<float3>& a, const std::vector<float3>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++)
    if (a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z) return false;
  return true;
}

// Accelerations of random bodies against double precision.
inline void check_against_reference(const Version& version, int n, int threads, float softening) {
  CAPTURE(version.name);
  CAPTURE(n);
  CAPTURE(threads);
  CAPTURE(softening);
  const Bodies bodies = random_bodies(n);
  const std::vector<float3> result = accelerations(version, bodies, softening, threads);
  REQUIRE(result.size() == static_cast<size_t>(n));
  const Accuracy outcome = accuracy(bodies.positions, result, softening);
  CHECK(outcome.relative_error < 1e-5);  // false for NaN
  CHECK((n == 0 || outcome.compared > 0));
  if (n == 1) CHECK((result[0].x == 0 && result[0].y == 0 && result[0].z == 0));
}

// Two bodies whose pull on each other is worked out by hand: a mass of 50 at distance 4, softened
// by 3, pulls with 4 * 50 / (16 + 9)^(3/2) = 1.6; along each axis, and along a diagonal.
inline void check_by_hand(const Version& version) {
  for (int axis = 0; axis < 4; axis++) {
    const float x = axis == 0   ? 4.0f
                    : axis == 3 ? 2.4f
                                : 0,
                y = axis == 1 ? 4.0f : 0,
                z = axis == 2   ? 4.0f
                    : axis == 3 ? 3.2f
                                : 0;
    Bodies bodies;
    bodies.add(2, 1, -5, 7, 0, 0, 0);
    bodies.add(50, 1 + x, -5 + y, 7 + z, 0, 0, 0);
    const std::vector<float3> pull = accelerations(version, bodies, 3);
    CHECK(pull[0].x == doctest::Approx(0.4 * x));
    CHECK(pull[0].y == doctest::Approx(0.4 * y));
    CHECK(pull[0].z == doctest::Approx(0.4 * z));
    CHECK(pull[1].x == doctest::Approx(-0.016 * x));
    CHECK(pull[1].y == doctest::Approx(-0.016 * y));
    CHECK(pull[1].z == doctest::Approx(-0.016 * z));
  }
}

inline void check_version(const Version& version) {
  check_by_hand(version);
  for (const int n : {0, 1, 2, 31, 255, 256, 257, 1000, 4001, 10007, 16384})
    check_against_reference(version, n, 256, 0.05f);
  for (const int threads : {1, 2, 7, 32, 33, 96, 255, 1000, 1024})
    check_against_reference(version, 257, threads, 0.05f);
  check_against_reference(version, 1000, 128, 0);  // no softening: bodies must not meet themselves
  // Two runs give the same bits.
  const Bodies bodies = random_bodies(1000);
  CHECK(same_bits(accelerations(version, bodies, 0.05f), accelerations(version, bodies, 0.05f)));
}

// A result that is wrong must be noticed.
inline void check_that_errors_are_seen(const Version& version) {
  const Bodies bodies = random_bodies(300);
  std::vector<float3> result = accelerations(version, bodies, 0.05f);
  CHECK(accuracy(bodies.positions, result, 0.05f).relative_error < 1e-5);
  std::vector<float3> wrong = result;
  wrong[299].z = NAN;
  CHECK_FALSE(accuracy(bodies.positions, wrong, 0.05f).relative_error < 1e-5);
  CHECK(accuracy(bodies.positions, wrong, 0.05f).worst == 299);
  wrong = result;
  for (float3& a : wrong) a.x *= 1.0001f;
  CHECK(accuracy(bodies.positions, wrong, 0.05f).relative_error > 1e-5);
  CHECK(accuracy(bodies.positions, result, 0.1f).relative_error > 1e-5);
}

// Files and numbers that a program must refuse; `extra` are arguments that it needs besides.
inline void check_bad_bodies(const std::vector<std::string>& extra = {}) {
  const auto refused = [&](std::vector<std::string> args, const std::string& reason) {
    args.insert(args.end(), extra.begin(), extra.end());
    course::check_refused(args, reason);
  };
  course::TemporaryFolder folder;
  const auto file_refused = [&](const std::string& text, const std::string& reason) {
    const std::string path = folder.file("bodies.txt");
    course::write_text(path, text);
    refused({"--file", path}, reason);
  };
  refused({"--file", folder.file("missing.txt")}, "No such file or directory");
  refused({"--file", folder.path()}, "Is a directory");
  file_refused("1 0 0 0 0 0 0\n# a comment\n\n1 nan 0 0 0 0 0\n", "line 4: x is nan");
  file_refused("1 0 0 0 0 0 -inf\n", "line 1: vz is -inf");
  file_refused("1 0 0 0 0 0 1e99\n", "line 1: vz is 1e99");
  file_refused("1 0 0 0 0 0\n", "line 1: 6 numbers instead of 7");
  file_refused("1 0 0 0 0 0 0 0\n", "line 1: more than 7 numbers");
  file_refused("1 0 0 zero 0 0 0\n", "line 1: 'zero' is not a number");
  file_refused("1 0 0 0,5 0 0 0\n", "line 1: '0,5' is not a number");
  file_refused("1 0 0 0 0 0 0\n-1 0 0 0 0 0 0\n", "line 2: the mass is negative");
  file_refused("1e20 0 0 0 0 0 0\n", "line 1: the mass is above");
  file_refused("1 1e20 0 0 0 0 0\n", "line 1: x is beyond");
  file_refused("1 0 0 -1e10 0 0 0\n", "line 1: z is beyond");
  file_refused(std::string("1 0 0 \0 0 0 0\n", 14), "line 1: a zero byte");
  file_refused("1 0 0 0 0 0 0\n" + std::string(1000000, '1'), "line 2: longer than 10000");
  file_refused("1 0 0 0 " + std::string(5000, 'z') + " 0 0\n", "line 1: 'zzzzz");
  file_refused("1 0 \x1b[2J\n", "line 1: '?[2J' is not a number");
  refused({"--file", "/dev/zero"}, "/dev/zero, line 1: longer than 10000 characters");
  refused({"--threads", "0"}, "--threads must be a whole number, 1 to 1024");
  refused({"--threads", "2000"}, "--threads must be a whole number, 1 to 1024");
  refused({"--devices", "0"}, "--devices must be a whole number");
  refused({"--softening", "-1"}, "--softening must be a number");
  refused({"--softening", "nan"}, "--softening must be a number");
  refused({"--dt", "inf"}, "--dt must be a number");
  refused({"--initial", "square"}, "--initial must be one of");
  refused({"--size", "-1"}, "--size must be a whole number");
  if (course::on_cpu_device()) {
    course::RunOptions options;
    options.environment["CPU_DEVICE_MEMORY"] = "1000000";
    std::vector<std::string> args = {"--size", "100000"};
    args.insert(args.end(), extra.begin(), extra.end());
    const course::RunResult result = course::run_program(args, options);
    CHECK(result.exit_code == 2);
    CHECK(result.out == "");
    CHECK_MESSAGE(course::count_lines(result.err) == 1, result.err);
    CHECK(course::contains(result.err, "on the device"));
  }
}

// The figures of a program's last line: n^2 interactions per step, 20 operations each, and their
// share of the peak.
inline void check_speed(const std::string& out, int n) {
  using course::printed_after;
  const size_t line = out.find("ms per step, ");
  REQUIRE_MESSAGE(line != std::string::npos, out);
  const std::string text = "\n" + out.substr(out.rfind('\n', line) + 1);
  INFO(text);
  const course::Printed ms = printed_after(text, "\n");
  const course::Printed interactions = printed_after(text, "ms per step, ");
  const course::Printed operations = printed_after(text, "G interactions/s, ");
  const course::Printed percent = printed_after(text, "GFLOP/s: ");
  const course::Printed peak = printed_after(text, "% of the ");
  CHECK(course::is_quotient(interactions, 1e-6 * n, {double(n), double(n)}, ms));
  CHECK(course::is_quotient(operations, 20, interactions, {1, 1}));
  CHECK(course::is_quotient(percent, 100, operations, peak));
}

// The program of one version: sizes, files, several devices, bad input.
inline void check_program() {
  for (const char* size : {"0", "1", "2", "1000"}) {
    const course::RunResult result = course::run_program({"--size", size, "--steps", "2"});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(course::contains(result.out, nbody::bodies_in_words(atoi(size))));
    CHECK(course::contains(result.out, "accelerations right"));
    if (atoi(size) > 0) check_speed(result.out, atoi(size));
  }
  course::TemporaryFolder folder;
  course::write_text(folder.file("three.txt"),
                     "# three bodies\r\n1 0 0 0 0 0 0\r\n\r\n  2 1 0 0 0 1 0\n0\t0 1 0 0 0 -1e-3");
  for (const char* initial :
       {"cube", "plummer", "collapse", "galaxy", "galaxies", "planets", "orbit"}) {
    const course::RunResult result = course::run_program(
        {"--initial", initial, "--size", "500", "--steps", "1", "--threads", "33"});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
  }
  const course::RunResult file =
      course::run_program({"--file", folder.file("three.txt"), "--steps", "3"});
  CHECK_MESSAGE(file.exit_code == 0, file.err);
  CHECK(course::contains(file.out, "3 bodies"));

  course::RunOptions three;
  three.environment["CPU_DEVICE_COUNT"] = "3";
  const course::RunResult shared =
      course::run_program({"--size", "1001", "--devices", "3", "--steps", "2"}, three);
  CHECK_MESSAGE((shared.exit_code == 0 || (!course::on_cpu_device() && shared.exit_code == 77)),
                (shared.err + shared.out));
  if (shared.exit_code == 0) check_speed(shared.out, 1001);
  // The CPU device is as many devices as are asked for, if the environment does not say.
  course::RunOptions unset;
  unset.unset = {"CPU_DEVICE_COUNT"};
  const course::RunResult two =
      course::run_program({"--size", "100", "--devices", "2", "--steps", "1"}, unset);
  CHECK_MESSAGE((two.exit_code == 0 || (!course::on_cpu_device() && two.exit_code == 77)),
                (two.err + two.out));
  three.environment["CPU_DEVICE_COUNT"] = "2";
  const course::RunResult absent = course::run_program({"--devices", "64"}, three);
  CHECK(absent.exit_code == 77);
  CHECK(course::count_lines(absent.out) == 1);
  check_bad_bodies();
}

}  // namespace nbody
