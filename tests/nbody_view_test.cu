#include "watch_calls.h"

#define main program_main
#include "../nbody/nbody_view.cu"
#undef main

#include "../common/compare.h"
#include "damaged_run.h"
#include "nbody_check.h"

using nbody::Bodies;
using nbody::Camera;

namespace {

// The picture, drawn on the CPU.
std::vector<unsigned char> draw_on_cpu(const Bodies& bodies, const Camera& camera, int pixels,
                                       float exposure) {
  std::vector<unsigned int> light(2 * static_cast<size_t>(pixels) * pixels, 0);
  const int n = bodies.count();
  for (int i = 0; i < n; i++) {
    const float2 place = nbody::project(camera, bodies.positions[i], pixels);
    if (!(fabsf(place.x) < 1e6f && fabsf(place.y) < 1e6f)) continue;
    for (int y = static_cast<int>(floorf(place.y)) - 1; y <= floorf(place.y) + 1; y++)
      for (int x = static_cast<int>(floorf(place.x)) - 1; x <= floorf(place.x) + 1; x++) {
        // The share of a pixel falls from 1 at its center to 0 at the centers of its neighbors.
        const float wx = 1 - fabsf(place.x - (x + 0.5f)), wy = 1 - fabsf(place.y - (y + 0.5f));
        if (wx <= 0 || wy <= 0 || x < 0 || x >= pixels || y < 0 || y >= pixels) continue;
        light[2 * (x + static_cast<size_t>(y) * pixels) + (i >= n - n / 2)] +=
            static_cast<unsigned int>(nbody::kLight * wx * wy + 0.5f);
      }
  }
  std::vector<unsigned char> picture;
  for (size_t pixel = 0; pixel < light.size() / 2; pixel++) {
    const uchar4 color = nbody::expose(light[2 * pixel], light[2 * pixel + 1], exposure);
    picture.insert(picture.end(), {color.x, color.y, color.z, color.w});
  }
  return picture;
}

}  // namespace

TEST_CASE("the picture against the CPU's") {
  for (const int pixels : {1, 16, 65, 200})
    for (const int n : {0, 1, 3000}) {
      CAPTURE(pixels);
      CAPTURE(n);
      Bodies bodies = nbody::random_bodies(n);
      if (n > 2) {
        bodies.positions[0].x = NAN;
        bodies.positions[1].y = 1e30f;
        bodies.positions[2].x = -INFINITY;
      }
      const Camera camera = nbody::make_camera(0.7f, -0.4f, 0.3f * pixels);
      float4* device = nullptr;
      HANDLE_ERROR(cudaMalloc(&device, (n + 1) * sizeof(float4)));
      HANDLE_ERROR(
          cudaMemcpy(device, bodies.positions.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
      std::vector<unsigned char> picture(4 * pixels * pixels);
      nbody::Painter painter(pixels);
      painter.draw(device, n, camera, 0.5f, picture.data(), 0);
      HANDLE_ERROR(cudaFree(device));
      const std::vector<unsigned char> expected = draw_on_cpu(bodies, camera, pixels, 0.5f);
      const course::PictureDifference difference =
          course::compare_pictures(picture.data(), expected.data(), pixels * pixels);
      CHECK(difference.largest <= 3);
      CHECK(difference.share() < 0.05);
      if (n > 1000 && pixels > 16)
        CHECK(*std::max_element(expected.begin(), expected.end() - 1) > 100);
    }
}

TEST_CASE("the camera") {
  const Camera straight = nbody::make_camera(0, 0, 10);
  const float2 place = nbody::project(straight, make_float4(2, 3, 100, 1), 100);
  CHECK(place.x == doctest::Approx(70));
  CHECK(place.y == doctest::Approx(80));
  // Turned by a quarter around y, the picture's right is the bodies' z.
  const Camera side = nbody::make_camera(static_cast<float>(M_PI / 2), 0, 10);
  CHECK(nbody::project(side, make_float4(50, 3, 2, 1), 100).x == doctest::Approx(70));
  // Dragging across the window is half a turn.
  CPUAnimBitmap bitmap(200, 200);
  nbody::View view;
  view.bitmap = &bitmap;
  const float yaw = view.yaw, pitch = view.pitch;
  nbody::turn(&view, 0, 100, 200, 100);
  CHECK(view.yaw - yaw == doctest::Approx(M_PI));
  CHECK(view.pitch == pitch);
}

// A vector, seen by a camera of 1 pixel per length in a picture without an extent.
static float2 seen(const Camera& camera, float x, float y, float z) {
  return nbody::project(camera, make_float4(x, y, z, 1), 0);
}

TEST_CASE("the camera is a rotation") {
  for (const float yaw : {0.0f, 0.3f, -1.0f, 2.5f})
    for (const float pitch : {0.0f, 0.5f, -0.7f, 1.5f}) {
      const Camera camera = nbody::make_camera(yaw, pitch, 1);
      const float* const r = camera.right;
      const float* const u = camera.up;
      CHECK(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] == doctest::Approx(1));
      CHECK(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] == doctest::Approx(1));
      CHECK(r[0] * u[0] + r[1] * u[1] + r[2] * u[2] == doctest::Approx(0));
      // First around y: x goes to cos, and -z to where x was going; then around x.
      const double cy = cos(yaw), sy = sin(yaw), cp = cos(pitch), sp = sin(pitch);
      const double body[] = {0.3, -1.2, 2.0};
      const double x = cy * body[0] + sy * body[2], z = cy * body[2] - sy * body[0];
      const float2 place = seen(camera, 0.3f, -1.2f, 2);
      CHECK(place.x == doctest::Approx(x));
      CHECK(place.y == doctest::Approx(cp * body[1] - sp * z));
    }
  // Looked at from above (a positive pitch), what is near, at large z, is lower in the picture, and
  // what is high stays high.
  const Camera above = nbody::make_camera(0, 0.5f, 1);
  CHECK(seen(above, 0, 0, 1).y < 0);
  CHECK(seen(above, 0, 1, 0).y > 0);
  CHECK(seen(nbody::make_camera(0.5f, 0, 1), 0, 0, 1).x > 0);
  // Dragging to the right turns to the right, dragging down turns up what is near.
  CPUAnimBitmap bitmap(100, 200);
  nbody::View view;
  view.bitmap = &bitmap;
  view.yaw = view.pitch = 0;
  nbody::turn(&view, 10, 20, 35, 70);
  CHECK(view.yaw == doctest::Approx(M_PI / 4));
  CHECK(view.pitch == doctest::Approx(M_PI / 2));
}

TEST_CASE("the extent: 95 of 100 bodies") {
  Bodies bodies;
  CHECK(nbody::extent(bodies) == 1);
  bodies.add(1, 0, 0, 0, 0, 0, 0);
  CHECK(nbody::extent(bodies) == 1);  // nothing to see at distance 0
  bodies = Bodies();
  for (int i = 1; i <= 100; i++) bodies.add(1, 0, i % 2 ? i : 0, i % 2 ? 0 : -i, 0, 0, 0);
  CHECK(nbody::extent(bodies) == 96);  // 95 are nearer
  bodies = Bodies();
  bodies.add(1, 2, 3, 6, 0, 0, 0);
  CHECK(nbody::extent(bodies) == 7);
}

TEST_CASE("colors: a star of each kind, both, and many") {
  const auto is = [](uchar4 color, int red, int green, int blue) {
    return abs(color.x - red) <= 1 && abs(color.y - green) <= 1 && abs(color.z - blue) <= 1 &&
           color.w == 255;
  };
  // 255 * (1 - exp(-light)), for weights of 1, 0.55, 0.25 and 0.3, 0.55, 1.
  CHECK(is(nbody::expose(256, 0, 1), 161, 107, 56));
  CHECK(is(nbody::expose(0, 256, 1), 66, 107, 161));
  CHECK(is(nbody::expose(256, 256, 1), 185, 170, 181));
  CHECK(is(nbody::expose(256, 0, 0.5f), 100, 61, 29));
  CHECK(is(nbody::expose(512, 0, 0.25f), 100, 61, 29));
  CHECK(is(nbody::expose(0, 0, 1), 0, 0, 0));
  CHECK(is(nbody::expose(100000, 0, 1), 255, 255, 255));
}

TEST_CASE("light falls on the pixels around a body, first half warm, second half cool") {
  const int pixels = 4;
  const float4 bodies[] = {make_float4(0.5f, 0.5f, 0, 1),      // the middle of pixel (2, 2)
                           make_float4(-1.25f, -0.5f, 0, 1)};  // a quarter right of (0, 1)'s
  float4* device = nullptr;
  unsigned int* light = nullptr;
  HANDLE_ERROR(cudaMalloc(&device, sizeof bodies));
  HANDLE_ERROR(cudaMalloc(&light, 2 * pixels * pixels * sizeof(unsigned int)));
  HANDLE_ERROR(cudaMemcpy(device, bodies, sizeof bodies, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(light, 0, 2 * pixels * pixels * sizeof(unsigned int)));
  nbody::collect_light<<<1, 32>>>(device, 2, 1, nbody::make_camera(0, 0, 1), pixels, light);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<unsigned int> got(2 * pixels * pixels), expected(2 * pixels * pixels, 0);
  HANDLE_ERROR(
      cudaMemcpy(got.data(), light, got.size() * sizeof(unsigned int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(device));
  HANDLE_ERROR(cudaFree(light));
  expected[2 * (2 + 2 * pixels)] = 256;
  expected[2 * (0 + 1 * pixels) + 1] = 192;
  expected[2 * (1 + 1 * pixels) + 1] = 64;
  CHECK(got == expected);
}

TEST_CASE("of an odd number of bodies, the one in the middle is warm") {
  Bodies bodies;
  for (const float x : {-6.0f, 0.0f, 6.0f}) bodies.add(1, x + 0.5f, 0.5f, 0, 0, 0, 0);
  float4* device = nullptr;
  HANDLE_ERROR(cudaMalloc(&device, 3 * sizeof(float4)));
  HANDLE_ERROR(
      cudaMemcpy(device, bodies.positions.data(), 3 * sizeof(float4), cudaMemcpyHostToDevice));
  std::vector<unsigned char> picture(4 * 16 * 16);
  nbody::Painter(16).draw(device, 3, nbody::make_camera(0, 0, 1), 1, picture.data(), 0);
  HANDLE_ERROR(cudaFree(device));
  const auto red = [&](int x) { return picture[4 * (x + 8 * 16)]; };
  const auto blue = [&](int x) { return picture[4 * (x + 8 * 16) + 2]; };
  CHECK(red(2) > blue(2));
  CHECK(red(8) > blue(8));
  CHECK(red(14) < blue(14));
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  for (const char* size : {"0", "1", "2", "300"}) {
    const course::RunResult result = course::run_program(
        {"--size", size, "--frames", "3", "--pixels", "65", "--save", "view.webp"}, options);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(course::contains(result.out, "saved view.webp (65 x 65, 3 frames)"));
  }
  for (const char* initial : {"cube", "plummer", "discs", "orbit"}) {
    const course::RunResult result =
        course::run_program({"--initial", initial, "--size", "200", "--frames", "2", "--pixels",
                             "64", "--save", "view.png"},
                            options);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
  }
  // The same picture from several devices.
  const std::string one = course::read_file(folder.file("view.png"));
  options.environment["CPU_DEVICE_COUNT"] = "2";
  const course::RunResult two =
      course::run_program({"--initial", "orbit", "--frames", "2", "--pixels", "64", "--devices",
                           "2", "--save", "two.png"},
                          options);
  CHECK((two.exit_code == 0 || (!course::on_cpu_device() && two.exit_code == 77)));
  if (two.exit_code == 0) CHECK(course::read_file(folder.file("two.png")) == one);

  nbody::check_bad_bodies({"--frames", "1"});
  course::check_number_option("pixels");
  course::check_number_option("frames");
  course::check_refused({"--save", "view.txt"}, ".webp");
  if (course::on_cpu_device()) {
    options.environment["CPU_DEVICE_MEMORY"] = "100000000";
    const course::RunResult large = course::run_program({"--pixels", "8192"}, options);
    CHECK(large.exit_code == 2);
    CHECK_MESSAGE(course::contains(large.err, "MB on the device, which has 100 MB free"),
                  large.err);
  }
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--frames", "1"});
}
