#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch06_constant/ray_tiles.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "ray_check.h"

namespace {
void draw(const std::vector<Sphere>& spheres, unsigned char* rgba, int size) {
  ray_trace(spheres, rgba, size);
}
}  // namespace

TEST_CASE("pictures of awkward sizes") { course::check_ray_tracer(draw); }

TEST_CASE("as many spheres as fill the threads of a block, and one more or less") {
  for (int count : {255, 256, 257, 511, 513}) {
    const std::vector<Sphere> spheres = random_spheres(count);
    std::vector<unsigned char> rgba(4 * 100 * 100);
    draw(spheres, rgba.data(), 100);
    CHECK(course::compare("rgba", rgba.data(), ray_reference(spheres, 100).data(), rgba.size())
              .message == "");
  }
}

TEST_CASE("which spheres reach a square") {
  // The rays of the square at (10, 20): x from 10 to 25, y from 20 to 35.
  const auto reaching = [](float x, float y, float radius) {
    return reaches(Sphere{1, 1, 1, radius, x, y, 0}, 10, 20);
  };
  CHECK(reaching(15, 30, 1));        // inside
  CHECK(reaching(26, 30, 2));        // from the right
  CHECK_FALSE(reaching(26, 30, 1));  // touches the last ray: its edge does not count
  CHECK(reaching(9, 30, 2));
  CHECK_FALSE(reaching(9, 30, 1));
  CHECK(reaching(15, 19, 2));
  CHECK(reaching(15, 36, 2));
  CHECK_FALSE(reaching(15, 36, 1));
  CHECK(reaching(7, 16, 6));  // over the corner, by (3, 4)
  CHECK_FALSE(reaching(7, 16, 5));
  CHECK_FALSE(reaching(30, 40, 7));  // by (5, 5)
  CHECK(reaching(30, 40, 8));
}

TEST_CASE(
    "of two surfaces at the same place the earlier sphere counts, wherever it is in the list") {
  std::vector<Sphere> spheres(600, Sphere{0, 0, 0, 20, -400, -400, 0});  // next to the picture
  spheres[100] = {1, 0, 0, 30, 0, 0, 0};
  spheres[500] = {0, 1, 0, 30, 0, 0, 0};
  std::vector<unsigned char> rgba(4 * 33 * 33);
  draw(spheres, rgba.data(), 33);
  CHECK(rgba[4 * (16 + 33 * 16)] == 255);
  CHECK(rgba[4 * (16 + 33 * 16) + 1] == 0);
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  const course::RunResult result =
      course::run_program({"--size", "200", "--spheres", "50"}, options);
  CHECK(result.exit_code == 0);
  CHECK(course::contains(result.out, "50 spheres, 200 x 200 pixels"));
  CHECK(course::contains(result.out, "0 of 40000 pixels differ"));
  CHECK(course::contains(result.out, "saved ray_tiles.png (200 x 200)"));
  course::check_rate(result.out, " ms (", 50 * 200 * 200 * 1e-6, "kernel ");
  for (const char* spheres : {"0", "1", "3000"})
    CHECK(course::run_program({"--size", "17", "--spheres", spheres, "--save", "r.png"}, options)
              .exit_code == 0);
  course::check_number_option("size");
  course::check_number_option("spheres");
  course::check_save_option();
  course::check_refused({"--size", "0"}, "1 to 32768");
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "32"}); }
