#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch04_parallel/julia_fast.cu"
#undef main

#include "../../../common/program/random.h"
#include "../../harness/damaged_run.h"
#include "julia_check.h"

TEST_CASE("each pixel is as the CPU draws it, however seldom one asks") {
  course::Random random(1);
  for (int size : {1, 2, 3, 15, 16, 17, 31, 33, 64, 97, 100, 250}) {
    const View view{
        size, random.uniform(0.1f, 3), {random.uniform(-1.5f, 0.5f), random.uniform(-1, 1)}};
    const size_t bytes = 4 * static_cast<size_t>(size) * size;
    std::vector<unsigned char> expected(bytes);
    draw_on_cpu(view, expected.data());
    for (dim3 threads : {dim3(1, 1), dim3(16, 16), dim3(8, 32), dim3(7, 3)})
      for (const auto& draw : {draw_on_device<1>, draw_on_device<4>, draw_on_device<8>}) {
        std::vector<unsigned char> rgba(bytes + 1, 77);
        draw(view, threads, rgba.data());
        CHECK_MESSAGE(course::compare("rgba", rgba.data(), expected.data(), bytes).equal, size);
        CHECK(rgba[bytes] == 77);
      }
  }
}

TEST_CASE("what has left stays out: infinite or not a number after some more steps") {
  // Far out from the beginning, with the largest constants that the program takes.
  for (float re : {-2.0f, 0.0f, 2.0f})
    for (float im : {-2.0f, 0.0f, 2.0f}) {
      const View view{100, 1e6f, {re, im}};
      for (int x : {0, 1, 49, 51, 99})
        for (int y : {0, 49, 51, 99}) {
          CHECK(stays<4>(x, y, view) == in_julia_set(x, y, view));
          CHECK(stays<40>(x, y, view) == in_julia_set(x, y, view));
        }
    }
  // Gone in the last steps, and just not: see julia_check.h.
  for (float c : {0.2502600f, 0.2502473f, 0.2502465f, 0.2502459f, 0.2502449f, 0.2502300f}) {
    const View view{100, 1, {c, 0}};
    CHECK(stays<4>(50, 50, view) == in_julia_set(50, 50, view));
  }
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
