#define main program_main
#include "../ch04_parallel/julia_threads.cu"
#undef main

#include <doctest/doctest.h>

#include <complex>

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

TEST_CASE("each pixel is as the CPU draws it, for every size and constant") {
  course::Random random(1);
  for (int size : {1, 2, 3, 15, 16, 17, 31, 33, 64, 97, 100, 250}) {
    const View view =
        view_of(size, random.uniform(0.1f, 3), random.uniform(-1.5f, 0.5f), random.uniform(-1, 1));
    const size_t bytes = 4 * static_cast<size_t>(size) * size;
    std::vector<unsigned char> expected(bytes);
    draw_on_cpu(view, expected.data());
    for (dim3 threads : {dim3(1, 1), dim3(16, 16), dim3(32, 8), dim3(7, 3)}) {
      std::vector<unsigned char> rgba(bytes + 1, 77);
      draw_on_device(view, threads, rgba.data());
      CHECK_MESSAGE(course::compare("rgba", rgba.data(), expected.data(), bytes).equal, size);
      CHECK(rgba[bytes] == 77);
    }
  }
}

TEST_CASE("the book's picture is that of the textbook but for the edge") {
  const View view = view_of(200, 1.5f, -0.8f, 0.156f);
  std::vector<unsigned char> rgba(4 * 200 * 200);
  draw_on_device(view, dim3(16, 16), rgba.data());
  size_t differing = 0, inside = 0;
  for (int y = 0; y < view.size; y++)
    for (int x = 0; x < view.size; x++) {
      const bool red = rgba[4 * (x + y * view.size)] == 255;
      differing += red != in_set_by_the_textbook(x, y, view);
      inside += red;
    }
  CHECK(inside > 0);
  CHECK(differing <= 200);
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  const course::RunResult result = course::run_program({"--size", "97"}, options);
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "saved julia_threads.png (97 x 97)"));
  CHECK(folder.names() == std::vector<std::string>{"julia_threads.png"});
  const course::RunResult other = course::run_program(
      {"--size", "1", "--scale", "2", "--re", "-0.4", "--im", "0.6", "--save", "a b.png"}, options);
  CHECK(other.exit_code == 0);
  CHECK(course::contains(other.out, "saved a b.png (1 x 1)"));
  CHECK(folder.names() == std::vector<std::string>{"a b.png", "julia_threads.png"});
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
