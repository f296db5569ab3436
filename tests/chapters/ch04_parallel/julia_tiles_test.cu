#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch04_parallel/julia_tiles.cu"
#undef main

#include "../../../common/program/random.h"
#include "../../harness/damaged_run.h"
#include "julia_check.h"

TEST_CASE("each pixel is as the CPU draws it, for every size and constant") {
  course::Random random(1);
  for (int size : {1, 2, 3, 15, 16, 17, 31, 33, 64, 97, 100, 250}) {
    const View view{
        size, random.uniform(0.1f, 3), {random.uniform(-1.5f, 0.5f), random.uniform(-1, 1)}};
    const size_t bytes = 4 * static_cast<size_t>(size) * size;
    std::vector<unsigned char> expected(bytes), rgba(bytes + 1, 77);
    draw_on_cpu(view, expected.data());
    draw_on_device(view, rgba.data());
    CHECK_MESSAGE(course::compare("rgba", rgba.data(), expected.data(), bytes).equal, size);
    CHECK(rgba[bytes] == 77);
  }
}

TEST_CASE("the book's picture is that of the textbook but for the edge") {
  const View view{200, 1.5f, {-0.8f, 0.156f}};
  std::vector<unsigned char> rgba(4 * 200 * 200);
  draw_on_device(view, rgba.data());
  check_against_the_textbook(view, rgba);
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
