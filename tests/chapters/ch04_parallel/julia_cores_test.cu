#include "../../harness/watch_calls.h"

// The program gets a way to draw that can be damaged.
#include "../../../ch04_parallel/julia.h"
void draw_with_simd(const View& view, unsigned char* rgba);
#define draw_with_simd(view, rgba) draw_well(view, rgba)
#define main program_main
#include "../../../ch04_parallel/julia_cores.cu"
#undef main
#undef draw_with_simd

void draw_with_simd(const View& view, unsigned char* rgba) {
  draw_well(view, rgba);
  course::do_damage(rgba, 4 * static_cast<size_t>(view.size) * view.size);
}

#include "../../../common/program/compare.h"
#include "../../../common/program/random.h"
#include "../../harness/damaged_run.h"
#include "julia_check.h"

TEST_CASE("all cores, and lanes side by side, draw what one thread draws") {
  course::Random random(1);
  for (int size : {1, 2, 15, 16, 17, 31, 32, 33, 97, 250}) {
    const View view{
        size, random.uniform(0.1f, 3), {random.uniform(-1.5f, 0.5f), random.uniform(-1, 1)}};
    const size_t bytes = 4 * static_cast<size_t>(size) * size;
    std::vector<unsigned char> expected(bytes);
    draw_by_one_thread(view, expected.data());
    for (const auto& draw : {draw_by_all_cores, draw_with_simd}) {
      std::vector<unsigned char> rgba(bytes + 1, 77);
      draw(view, rgba.data());
      CHECK_MESSAGE(course::compare("rgba", rgba.data(), expected.data(), bytes).equal, size);
      CHECK(rgba[bytes] == 77);
    }
  }
}

TEST_CASE("the picture is that of the textbook but for the edge") {
  const View view{201, 1.2f, {-0.4f, 0.6f}};
  std::vector<unsigned char> rgba(4 * 201 * 201);
  draw_with_simd(view, rgba.data());
  check_against_the_textbook(view, rgba);
}

TEST_CASE("figures, and how many cores there are") {
  course::TemporaryFolder folder;
  const course::RunResult good =
      course::run_program({"--size", "200", "--save", folder.file("j.png")});
  CHECK(good.exit_code == 0);
  course::check_rate(good.out, " ms, ", 200 * 200 * 1e-3, "one thread ");
  course::check_rate(good.out.substr(good.out.find(", SIMD")), " ms, ", 200 * 200 * 1e-3,
                     ", SIMD ");
  CHECK(course::contains(good.out, course::cores_in_words()));
  CHECK(course::contains(good.out, "without OpenMP") == !course::cores_hint().empty());
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
