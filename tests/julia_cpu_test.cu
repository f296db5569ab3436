#define main program_main
#include "../ch04_parallel/julia_cpu.cu"
#undef main

#include <doctest/doctest.h>

#include <complex>
#include <vector>

#include "../common/random.h"
#include "bad_input.h"

static View view_of(int size, float scale, float re, float im) {
  return View{size, scale, {re, im}};
}

// The set as a textbook would compute it: std::complex, in double.
static bool in_set_by_the_textbook(int x, int y, const View& view) {
  const double half = view.size / 2.0;
  std::complex<double> z(view.scale * (half - x) / half, view.scale * (half - y) / half);
  const std::complex<double> c(view.c.re, view.c.im);
  for (int step = 0; step < 200; step++) {
    z = z * z + c;
    if (std::norm(z) > 1000) return false;
  }
  return true;
}

TEST_CASE("complex numbers") {
  const Complex product = Complex{1, 2} * Complex{3, 4};
  CHECK(product.re == -5);
  CHECK(product.im == 10);
  const Complex sum = Complex{1, 2} + Complex{3, 4};
  CHECK(sum.re == 4);
  CHECK(sum.im == 6);
  CHECK(magnitude2({3, 4}) == 25);
}

TEST_CASE("points whose fate is known") {
  // With c = 0 the set is the disk of radius 1; the picture shows it at x and y from -2 to 2.
  const View disk = view_of(400, 2, 0, 0);
  CHECK(in_julia_set(200, 200, disk));
  CHECK(in_julia_set(200, 101, disk));
  CHECK(in_julia_set(299, 200, disk));
  CHECK_FALSE(in_julia_set(200, 95, disk));
  CHECK_FALSE(in_julia_set(280, 280, disk));
  CHECK_FALSE(in_julia_set(0, 0, disk));
}

TEST_CASE("the picture is that of the textbook but for the edge") {
  for (const View& view : {view_of(200, 1.5f, -0.8f, 0.156f), view_of(201, 1.2f, -0.4f, 0.6f)}) {
    const size_t pixels = static_cast<size_t>(view.size) * view.size;
    std::vector<unsigned char> rgba(4 * pixels);
    draw_on_cpu(view, rgba.data());
    size_t differing = 0, inside = 0;
    for (int y = 0; y < view.size; y++)
      for (int x = 0; x < view.size; x++) {
        const unsigned char* pixel = &rgba[4 * (x + y * view.size)];
        differing += (pixel[0] == 255) != in_set_by_the_textbook(x, y, view);
        inside += pixel[0] == 255;
        REQUIRE((pixel[0] == 0 || pixel[0] == 255));
        REQUIRE(pixel[1] == 0);
        REQUIRE(pixel[2] == 0);
        REQUIRE(pixel[3] == 255);
      }
    CHECK(inside > 0);
    CHECK(differing <= pixels / 200);
  }
}

TEST_CASE("every picture is symmetric, and one that is not is noticed") {
  course::Random random(1);
  for (int size : {1, 2, 3, 16, 97, 100}) {
    const View view = view_of(size, random.uniform(0.5f, 2), random.uniform(-1, 0.3f),
                              random.uniform(-0.7f, 0.7f));
    std::vector<unsigned char> rgba(4 * static_cast<size_t>(size) * size);
    draw_on_cpu(view, rgba.data());
    CHECK(is_symmetric(view, rgba.data()));
    if (size < 3) continue;
    rgba[4 * (1 + static_cast<size_t>(size))] ^= 255;
    CHECK_FALSE(is_symmetric(view, rgba.data()));
  }
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  const course::RunResult result = course::run_program({"--size", "97"}, options);
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "saved julia_cpu.png (97 x 97)"));
  CHECK(folder.names() == std::vector<std::string>{"julia_cpu.png"});
  const course::RunResult other = course::run_program(
      {"--size", "1", "--scale", "2", "--re", "-0.4", "--im", "0.6", "--save", "a b.png"}, options);
  CHECK(other.exit_code == 0);
  CHECK(course::contains(other.out, "saved a b.png (1 x 1)"));
  CHECK(folder.names() == std::vector<std::string>{"a b.png", "julia_cpu.png"});
}

TEST_CASE("Ctrl-C in the middle leaves nothing behind") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  options.interrupt_after_s = 0.3;
  const course::RunResult result = course::run_program({"--size", "10000"}, options);
  CHECK(result.signalled);
  CHECK(result.signal == SIGINT);
  CHECK(folder.names().empty());
}

TEST_CASE("bad options") {
  course::check_number_option("size");
  course::check_save_option();
  for (const char* size : {"0", "-1", "65536"}) course::check_refused({"--size", size}, "--size");
  for (const char* bad : {"0", "-1", "nan", "inf", "abc", "1e300", ""})
    course::check_refused({"--scale", bad}, "--scale must be a number");
  for (const char* bad : {"3", "-2.1", "nan", "0.1x"}) {
    course::check_refused({"--re", bad}, "--re must be a number");
    course::check_refused({"--im", bad}, "--im must be a number");
  }
}
