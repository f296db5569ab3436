// What the ray tracers of chapter 6 must draw, for their tests.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "../../../ch06_constant/scene.h"
#include "../../../common/program/compare.h"
#include "../../harness/bad_input.h"
#include "../../harness/figures.h"

namespace course {

// The color of a pixel as a textbook would compute it, in double: of all spheres on the ray, the
// one whose surface is nearest.
inline std::vector<int> color_by_the_textbook(const std::vector<Sphere>& spheres, int x, int y,
                                              int size) {
  std::vector<int> color{0, 0, 0};
  double nearest = -INFINITY;
  for (const Sphere& s : spheres) {
    const double dx = x - size / 2 - s.x, dy = y - size / 2 - s.y, r = s.radius;
    const double height = std::sqrt(r * r - dx * dx - dy * dy);  // NaN next to the sphere
    if (!(height > 0) || !(s.z + height > nearest)) continue;
    nearest = s.z + height;
    color = {int(255 * s.r * height / r), int(255 * s.g * height / r), int(255 * s.b * height / r)};
  }
  return color;
}

// draw(spheres, rgba, size) must draw what the CPU draws, to the last bit, for `most` spheres, too.
inline void check_ray_tracer(
    const std::function<void(const std::vector<Sphere>&, unsigned char*, int)>& draw,
    int most = kMaxSpheres) {
  for (int count : {0, 1, 2, 20, 100}) {
    const std::vector<Sphere> spheres = random_spheres(count);
    for (int size : {0, 1, 15, 16, 17, 250}) {
      INFO(count << " spheres, " << size << " pixels");
      const size_t bytes = 4 * size_t(size) * size;
      std::vector<unsigned char> rgba(bytes + 1, 77);
      draw(spheres, rgba.data(), size);
      const std::vector<unsigned char> expected = ray_reference(spheres, size);
      CHECK(compare("rgba", rgba.data(), expected.data(), bytes).message == "");
      CHECK(rgba[bytes] == 77);
    }
  }
  for (int size : {1000, 1021, 1024}) {
    const std::vector<Sphere> spheres = random_spheres(20);
    std::vector<unsigned char> rgba(4 * size_t(size) * size);
    draw(spheres, rgba.data(), size);
    const std::vector<unsigned char> expected = ray_reference(spheres, size);
    CHECK(compare("rgba", rgba.data(), expected.data(), rgba.size()).message == "");
  }
  const std::vector<Sphere> spheres = random_spheres(most);
  std::vector<unsigned char> rgba(4 * 200 * 200);
  draw(spheres, rgba.data(), 200);
  const std::vector<unsigned char> expected = ray_reference(spheres, 200);
  CHECK(compare("rgba", rgba.data(), expected.data(), rgba.size()).message == "");
}

// The program `name`, with what it prints in addition to the picture.
inline void check_ray_program(const std::string& name, const std::string& output,
                              int most = kMaxSpheres) {
  TemporaryFolder folder;
  RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  const RunResult result = run_program({"--size", "97"}, options);
  CHECK(result.exit_code == 0);
  CHECK_MESSAGE(contains(result.out, "20 spheres, 97 x 97 pixels"), result.out);
  CHECK(contains(result.out, "0 of 9409 pixels differ"));
  CHECK(contains(result.out, output));
  CHECK(contains(result.out, "saved " + name + ".png (97 x 97)"));
  for (const std::string& spheres : {std::string("0"), std::string("1"), std::to_string(most)})
    CHECK(
        run_program({"--size", "17", "--spheres", spheres, "--save", "r.png"}, options).exit_code ==
        0);
  check_number_option("size");
  check_number_option("spheres");
  check_save_option();
  check_refused({"--size", "0"}, "1 to 32768");
  check_refused({"--spheres", std::to_string(most + 1)}, "0 to " + std::to_string(most));
}

}  // namespace course

TEST_CASE("the scene: 64 KB are full, and every machine has the same spheres") {
  CHECK(kMaxSpheres * sizeof(Sphere) <= 65536);
  CHECK((kMaxSpheres + 1) * sizeof(Sphere) > 65536);
  const std::vector<Sphere> spheres = random_spheres(kMaxSpheres);
  for (const Sphere& s : spheres) {
    REQUIRE((s.radius >= 20 && s.radius < 120));
    for (float c : {s.x, s.y, s.z}) REQUIRE((c >= -500 && c < 500 && c == std::floor(c)));
    for (float c : {s.r, s.g, s.b}) REQUIRE((c >= 0 && c < 1));
  }
  CHECK(random_spheres(1)[0].x == spheres[0].x);  // the first ones do not depend on their number
}

TEST_CASE("the picture is that of a textbook") {
  const int size = 600;
  for (int count : {1, 20, 200}) {
    const std::vector<Sphere> spheres = random_spheres(count);
    int lit = 0;
    for (int y = 0; y < size; y += 7)
      for (int x = 0; x < size; x += 7) {
        const uchar4 got = trace(spheres.data(), count, x, y, size);
        const std::vector<int> want = course::color_by_the_textbook(spheres, x, y, size);
        REQUIRE(std::abs(got.x - want[0]) <= 1);
        REQUIRE(std::abs(got.y - want[1]) <= 1);
        REQUIRE(std::abs(got.z - want[2]) <= 1);
        REQUIRE(got.w == 255);
        lit += want[0] + want[1] + want[2] > 0;
      }
    if (count > 1) CHECK(lit > 1000);
  }
}

TEST_CASE("a sphere by hand") {
  const Sphere sphere{0.5f, 0.25f, 1, 5, 1, 2, 3};
  float z = 0, facing = 0;
  // Off the center by (3, 0): 4 up the sphere of radius 5.
  CHECK(sphere.hit(4, 2, &z, &facing));
  CHECK(z == doctest::Approx(7));
  CHECK(facing == doctest::Approx(0.8));
  CHECK(sphere.hit(1, 2, &z, &facing));
  CHECK(z == doctest::Approx(8));
  CHECK(facing == doctest::Approx(1));
  CHECK(sphere.hit(1, -2, &z, &facing));  // by (0, -4)
  CHECK(z == doctest::Approx(6));
  CHECK(facing == doctest::Approx(0.6));
  CHECK_FALSE(sphere.hit(4, 6, &z, &facing));  // by (3, 4): the edge does not count
  CHECK_FALSE(sphere.hit(5, 6, &z, &facing));
  // In a picture of 20 x 20 the middle, (0, 0), is pixel (10, 10).
  const uchar4 color = trace(&sphere, 1, 14, 12, 20);
  CHECK(color.x == 102);  // 255 * 0.5 * 0.8
  CHECK(color.y == 51);
  CHECK(std::abs(color.z - 204) <= 1);
  CHECK(color.w == 255);
  CHECK(trace(&sphere, 1, 14, 16, 20).z == 0);
  CHECK(trace(&sphere, 1, 12, 10, 21).z == trace(&sphere, 1, 12, 10, 20).z);
  const std::vector<unsigned char> picture = ray_reference({sphere}, 20);
  CHECK(picture[4 * (14 + 20 * 12)] == 102);
  CHECK(picture[4 * (14 + 20 * 12) + 1] == 51);
}

TEST_CASE("of two spheres on a ray the nearer one is seen, in whichever order they come") {
  const Sphere far{1, 0, 0, 50, 0, 0, -100}, near{0, 1, 0, 50, 0, 0, 100};
  const Sphere both[] = {far, near}, swapped[] = {near, far};
  CHECK(trace(both, 2, 50, 50, 100).y == 255);
  CHECK(trace(swapped, 2, 50, 50, 100).y == 255);
  CHECK(trace(both, 1, 50, 50, 100).x == 255);
  CHECK(trace(both, 2, 0, 0, 100).x == 0);  // next to both: black
}
