// What the tests of the matrix product programs share. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../../harness/bad_input.h"
#include "../../harness/damaged_run.h"
#include "../../harness/figures.h"

// a * b by the definition, in double.
inline std::vector<double> plain_product(const std::vector<float>& a, const std::vector<float>& b,
                                         Sizes s) {
  std::vector<double> c(size_t(s.m) * s.n, 0.0);
  for (int row = 0; row < s.m; row++)
    for (int i = 0; i < s.k; i++)
      for (int column = 0; column < s.n; column++)
        c[row * size_t(s.n) + column] +=
            double(a[row * size_t(s.k) + i]) * b[i * size_t(s.n) + column];
  return c;
}

// Each way gives the product of awkward sizes, and writes nothing outside of c.
inline void check_ways(const std::vector<Way>& ways, const std::vector<Sizes>& all_sizes) {
  for (const Way& way : ways)
    for (const Sizes s : all_sizes) {
      INFO(way.words << ", " << s.m << " x " << s.n << " x " << s.k);
      const std::vector<float> a = whole_numbers(size_t(s.m) * s.k, 11);
      const std::vector<float> b = whole_numbers(size_t(s.k) * s.n, 12);
      const size_t count = size_t(s.m) * s.n;
      std::vector<float> c(count + 1, 77);
      way.multiply(a.data(), b.data(), c.data(), s);
      CHECK(course::compare("c", c.data(), plain_product(a, b, s).data(), count).message == "");
      CHECK(c[count] == 77);
      CHECK(check_product(a.data(), b.data(), c.data(), s).equal);
    }
}

inline const std::vector<Sizes> kAwkward = {{0, 3, 2},    {3, 0, 2},   {3, 2, 0},   {1, 1, 1},
                                            {31, 33, 32}, {1, 257, 3}, {130, 5, 67}};

inline void check_matmul_program(const std::string& m = "33") {
  const std::vector<std::string> sizes = {"--m", m, "--n", "34", "--k", "35"};
  const course::RunResult result = course::run_program(sizes);
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "33 x 35 times 35 x 34 on "));
  CHECK(course::contains(result.out, "all verified"));
  course::check_rate(result.out, " ms, ", 2.0 * 33 * 34 * 35 * 1e-6, "kernel ");
  CHECK(course::run_program({"--m", "0", "--n", "1", "--k", "1"}).exit_code == 0);
  CHECK(course::run_program({"--m", "2", "--n", "1", "--k", "0"}).exit_code == 0);
  for (const char* option : {"m", "n", "k"})
    course::check_refused({"--" + std::string(option), "-1"}, "must be");
  course::check_refused({"--m", "131073"}, "--m must be");
}

inline void check_damage() {
  course::check_damage_is_noticed({"--m", "9", "--n", "8", "--k", "7"});
}
