#include "../../harness/watch_calls.h"

// The program gets pixels of which one can be damaged.
#include "../../../ch04_parallel/julia.h"
void draw_damaged_pixel(int x, int y, const View& view, unsigned char* rgba) {
  draw_pixel(x, y, view, rgba);
  if (x == 2 && y == 1) course::do_damage(rgba + 4 * (x + static_cast<size_t>(y) * view.size), 1);
}
#define draw_pixel draw_damaged_pixel
#define main program_main
#include "../../../ch04_parallel/julia_cpu.cu"
#undef main
#undef draw_pixel

#include "../../../common/program/random.h"
#include "../../harness/damaged_run.h"
#include "julia_check.h"

TEST_CASE("complex numbers") {
  const Complex product = Complex{1, 2} * Complex{3, 4};
  CHECK(product.re == -5);
  CHECK(product.im == 10);
  const Complex sum = Complex{1, 2} + Complex{3, 4};
  CHECK(sum.re == 4);
  CHECK(sum.im == 6);
  CHECK(magnitude2({3, 4}) == 25);
}

TEST_CASE("figures") {
  course::TemporaryFolder folder;
  const course::RunResult good =
      course::run_program({"--size", "200", "--save", folder.file("j.png")});
  CHECK(good.exit_code == 0);
  course::check_rate(good.out, " ms, ", 200 * 200 * 1e-3, "one core ");
}

TEST_CASE("points whose fate is known") {
  // With c = 0 the set is the disk of radius 1; the picture shows it at x and y from -2 to 2.
  const View disk{400, 2, {0, 0}};
  CHECK(in_julia_set(200, 200, disk));
  CHECK(in_julia_set(200, 101, disk));
  CHECK(in_julia_set(299, 200, disk));
  CHECK_FALSE(in_julia_set(200, 95, disk));
  CHECK_FALSE(in_julia_set(280, 280, disk));
  CHECK_FALSE(in_julia_set(0, 0, disk));
}

TEST_CASE("the picture is that of the textbook but for the edge") {
  for (const View& view : {View{200, 1.5f, {-0.8f, 0.156f}}, View{201, 1.2f, {-0.4f, 0.6f}}}) {
    std::vector<unsigned char> rgba(4 * static_cast<size_t>(view.size) * view.size);
    draw_on_cpu(view, rgba.data());
    check_against_the_textbook(view, rgba);
  }
}

TEST_CASE("every picture is symmetric, and one that is not is noticed") {
  course::Random random(1);
  for (int size : {1, 2, 3, 16, 97, 100}) {
    const View view{
        size, random.uniform(0.5f, 2), {random.uniform(-1, 0.3f), random.uniform(-0.7f, 0.7f)}};
    std::vector<unsigned char> rgba(4 * static_cast<size_t>(size) * size);
    draw_on_cpu(view, rgba.data());
    CHECK(is_symmetric(view, rgba.data()));
    if (size < 3) continue;
    rgba[4 * (1 + static_cast<size_t>(size))] ^= 255;
    CHECK_FALSE(is_symmetric(view, rgba.data()));
  }
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
