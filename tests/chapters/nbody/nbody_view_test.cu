#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../nbody/nbody_view.cu"
#undef main

#include "../../../common/program/compare.h"
#include "../../harness/damaged_run.h"
#include "nbody_check.h"

using nbody::Bodies;
using nbody::Camera;
using nbody::Origin;
using nbody::Shot;

namespace {

constexpr float kExposure = 0.5f;

Shot simple_shot(int pixels, const Camera& camera) {
  Shot shot = {};
  shot.camera = camera;
  shot.pixels = pixels;
  shot.usual_speed = 1;
  shot.radius = 1.7f;
  return shot;
}

// Bodies of all kinds, on the device.
class OnDevice {
 public:
  explicit OnDevice(const Bodies& bodies) : n_(bodies.count()) {
    const size_t room = bodies.count() + 1;
    HANDLE_ERROR(cudaMalloc(&bodies_, room * sizeof(float4)));
    HANDLE_ERROR(cudaMalloc(&velocities_, room * sizeof(float3)));
    HANDLE_ERROR(cudaMalloc(&origins_, room * sizeof(Origin)));
    HANDLE_ERROR(
        cudaMemcpy(bodies_, bodies.positions.data(), n_ * sizeof(float4), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(velocities_, bodies.velocities.data(), n_ * sizeof(float3),
                            cudaMemcpyHostToDevice));
    HANDLE_ERROR(
        cudaMemcpy(origins_, bodies.origins.data(), n_ * sizeof(Origin), cudaMemcpyHostToDevice));
  }
  ~OnDevice() {
    cudaFree(bodies_);
    cudaFree(velocities_);
    cudaFree(origins_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  std::vector<unsigned char> draw(const Shot& shot, float* extent = nullptr) const {
    const int pixels = shot.pixels;
    std::vector<unsigned char> picture(4 * static_cast<size_t>(pixels) * pixels);
    uchar4* rgba = nullptr;
    HANDLE_ERROR(cudaMalloc(&rgba, picture.size()));
    nbody::Painter painter(pixels, nullptr);
    painter.draw(bodies_, velocities_, origins_, n_, shot, kExposure, rgba);
    HANDLE_ERROR(cudaMemcpy(picture.data(), rgba, picture.size(), cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaFree(rgba));
    if (extent != nullptr) *extent = painter.extent();
    return picture;
  }

 private:
  int n_;
  float4* bodies_ = nullptr;
  float3* velocities_ = nullptr;
  Origin* origins_ = nullptr;
};

// The picture, drawn on the CPU: for every body all pixels near it.
std::vector<unsigned char> draw_on_cpu(const Bodies& bodies, const Shot& shot) {
  const int pixels = shot.pixels;
  std::vector<unsigned int> light(3 * static_cast<size_t>(pixels) * pixels, 0);
  for (int i = 0; i < bodies.count(); i++) {
    const float3 v = bodies.velocities[i];
    const Origin origin = bodies.origins[i];
    const float2 at =
        nbody::project(shot.camera, nbody::seen(shot, bodies.positions[i], v), pixels);
    if (!(fabsf(at.x) < 1e6f && fabsf(at.y) < 1e6f)) continue;
    const float radius = shot.radius * (origin == nbody::kSun      ? 4
                                        : origin == nbody::kPlanet ? 2
                                                                   : 1);
    const float3 color =
        shot.speed_colors
            ? nbody::speed_color(sqrtf(v.x * v.x + v.y * v.y + v.z * v.z), shot.usual_speed, origin)
            : nbody::light_color(origin);
    const int reach = static_cast<int>(radius) + 2;
    for (int y = static_cast<int>(at.y) - reach; y <= at.y + reach; y++)
      for (int x = static_cast<int>(at.x) - reach; x <= at.x + reach; x++) {
        const float distance = hypotf(x + 0.5f - at.x, y + 0.5f - at.y);
        if (distance >= radius || x < 0 || x >= pixels || y < 0 || y >= pixels) continue;
        const float left = 1 - distance * distance / (radius * radius);
        const float strength = nbody::kLight * left * left;
        unsigned int* const pixel = &light[3 * (x + static_cast<size_t>(y) * pixels)];
        pixel[0] += static_cast<unsigned int>(strength * color.x + 0.5f);
        pixel[1] += static_cast<unsigned int>(strength * color.y + 0.5f);
        pixel[2] += static_cast<unsigned int>(strength * color.z + 0.5f);
      }
  }
  std::vector<unsigned char> picture;
  for (size_t pixel = 0; pixel < light.size(); pixel += 3) {
    const uchar4 color = nbody::expose(light[pixel], light[pixel + 1], light[pixel + 2], kExposure);
    picture.insert(picture.end(), {color.x, color.y, color.z, color.w});
  }
  return picture;
}

Bodies of_all_kinds(int n) {
  Bodies bodies = nbody::random_bodies(n);
  for (int i = 0; i < n; i++) bodies.origins[i] = static_cast<Origin>(i % nbody::kOrigins);
  return bodies;
}

}  // namespace

TEST_CASE("the picture against the CPU's") {
  for (const int pixels : {1, 16, 65, 200})
    for (const int n : {0, 1, 3000})
      for (const bool special : {false, true}) {
        CAPTURE(pixels);
        CAPTURE(n);
        CAPTURE(special);
        Bodies bodies = of_all_kinds(n);
        if (n > 2) {
          bodies.positions[0].x = NAN;
          bodies.positions[1].y = 1e30f;
          bodies.positions[2].x = -INFINITY;
        }
        Shot shot =
            simple_shot(pixels, nbody::make_camera(0.7f, -0.4f, 0.3f * pixels, {0.1f, 0, -0.2f}));
        if (special) {
          shot.ahead = 0.3f;
          shot.box = shot.speed_colors = true;
        }
        const std::vector<unsigned char> picture = OnDevice(bodies).draw(shot);
        const std::vector<unsigned char> expected = draw_on_cpu(bodies, shot);
        const course::PictureDifference difference =
            course::compare_pictures(picture.data(), expected.data(), pixels * pixels);
        CHECK(difference.largest <= 8);  // dark pixels are sensitive: the root of a rounded number
        CHECK(difference.share() < 0.05);
        if (n > 1000 && pixels > 16)
          CHECK(*std::max_element(expected.begin(), expected.end() - 1) > 100);
      }
}

// A place, seen by a camera of 1 pixel per length in a picture without an extent.
static float2 seen_at(const Camera& camera, float x, float y, float z) {
  return nbody::project(camera, make_float3(x, y, z), 0);
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
      const float2 place = seen_at(camera, 0.3f, -1.2f, 2);
      CHECK(place.x == doctest::Approx(x));
      CHECK(place.y == doctest::Approx(cp * body[1] - sp * z));
    }
  // Looked at from above (a positive pitch), what is near, at large z, is lower in the picture, and
  // what is high stays high.
  const Camera above = nbody::make_camera(0, 0.5f, 1);
  CHECK(seen_at(above, 0, 0, 1).y < 0);
  CHECK(seen_at(above, 0, 1, 0).y > 0);
  const float2 place = nbody::project(nbody::make_camera(0, 0, 10), make_float3(2, 3, 100), 100);
  CHECK(place.x == doctest::Approx(70));
  CHECK(place.y == doctest::Approx(80));
}

TEST_CASE("where a body is seen: from the center, a little later, and in the box") {
  Shot shot = simple_shot(10, nbody::make_camera(0, 0, 1, {1, 2, 3}));
  shot.ahead = 0.5f;
  float3 place = nbody::seen(shot, make_float4(2, 2, 2, 1), make_float3(4, 0, -2));
  CHECK(place.x == 3);
  CHECK(place.y == 0);
  CHECK(place.z == -2);
  shot.box = true;
  place = nbody::seen(shot, make_float4(1.75f, 2.25f, -6.75f, 1), make_float3(0, 0, 0));
  CHECK(place.x == -0.25f);
  CHECK(place.y == 0.25f);
  CHECK(place.z == 0.25f);
}

TEST_CASE("the extent: 95 of 100 bodies, without the halo") {
  const auto measured = [](const Bodies& bodies) {
    float extent = 0;
    OnDevice(bodies).draw(simple_shot(4, nbody::make_camera(0, 0, 1)), &extent);
    return extent;
  };
  // At least that far, and by no more than a bin of 2 percent further.
  const auto about = [](float extent, double expected) {
    return extent >= expected * 0.9999 && extent < 1.03 * expected;
  };
  Bodies bodies;
  CHECK(measured(bodies) == 1);
  bodies.add(1, 0, 0, 0, 0, 0, 0);
  CHECK(measured(bodies) == 1);  // nothing to see at distance 0
  bodies = Bodies();
  for (int i = 1; i <= 100; i++) bodies.add(1, 0, i % 2 ? i : 0, i % 2 ? 0 : -i, 0, 0, 0);
  CHECK(about(measured(bodies), 96));  // 95 are nearer
  for (int i = 0; i < 100; i++) bodies.add(1, 0, 0, 500, 0, 0, 0, nbody::kHalo);
  CHECK(about(measured(bodies), 96));
  for (const double scale : {1e-4, 3.0, 1e6}) {
    bodies = Bodies();
    bodies.add(1, 2 * scale, 3 * scale, 6 * scale, 0, 0, 0);
    bodies.add(1, scale, 0, 0, 0, 0, 0);
    CHECK(about(measured(bodies), 7 * scale));  // of two the further one
  }
  // It grows at once, to where the further body is still in the picture, and shrinks slowly.
  CHECK(nbody::follow_extent(1, 10, 0) == doctest::Approx(8.7));
  CHECK(nbody::follow_extent(1, 1.01f, 0.3) == doctest::Approx(1.01 - 0.01 / M_E));
  CHECK(nbody::follow_extent(10, 1, 5) == doctest::Approx(1 + 9 / M_E));
  CHECK(nbody::follow_extent(3, 3, 1) == 3);
}

TEST_CASE("colors: dark, one star, many, and by speed") {
  const auto is = [](uchar4 color, int red, int green, int blue) {
    return abs(color.x - red) <= 1 && abs(color.y - green) <= 1 && abs(color.z - blue) <= 1 &&
           color.w == 255;
  };
  CHECK(is(nbody::expose(0, 0, 0, 1), 0, 0, 0));
  // Light of 1, 1/2 and 0 is divided by 1 + 1/2; 255 times the roots of 2/3 and 1/3.
  CHECK(is(nbody::expose(256, 128, 0, 1), 208, 147, 0));
  CHECK(is(nbody::expose(512, 256, 0, 0.5f), 208, 147, 0));
  CHECK(is(nbody::expose(1000000, 1000000, 1000000, 1), 255, 255, 255));
  CHECK(is(nbody::expose(1000000, 0, 0, 1), 255, 0, 0));
  const float3 slow = nbody::speed_color(0, 1, nbody::kStar),
               fast = nbody::speed_color(5, 1, nbody::kStar);
  CHECK(slow.x > 5 * slow.z);
  CHECK(fast.z > 2 * fast.x);
  CHECK(nbody::speed_color(NAN, 1, nbody::kStar).x == fast.x);
  CHECK(nbody::speed_color(1, 1, nbody::kHalo).x < 0.1 * nbody::speed_color(1, 1, nbody::kStar).x);
  CHECK(nbody::splat_share(0, 4) == 1);
  CHECK(nbody::splat_share(2, 4) == 0.25f);
  CHECK(nbody::splat_share(4, 4) == 0);
  CHECK(nbody::splat_share(9, 4) == 0);
}

TEST_CASE("the clock: whole steps, and what is left of the time") {
  nbody::Clock clock;
  CHECK(clock.steps_for(0.35, 0.1, 1000) == 3);
  CHECK(clock.rest() == doctest::Approx(0.05));
  CHECK(clock.steps_for(0.04, 0.1, 1000) == 0);
  CHECK(clock.steps_for(0.02, 0.1, 1000) == 1);
  CHECK(clock.rest() == doctest::Approx(0.01));
  CHECK(clock.steps_for(0, 0.1, 1000) == 0);
  // No time for all of them: the others are lost, and not made up for later.
  CHECK(clock.steps_for(10, 0.1, 7) == 7);
  CHECK(clock.rest() < 0.1);
  CHECK(clock.steps_for(0.1, 0.1, 7) <= 2);
  CHECK(clock.steps_for(1, 0, 7) == 0);
  CHECK(clock.steps_for(1e30, 1e-30, 1000000000) == 1000000000);
}

TEST_CASE("every start that a key chooses has its scene") {
  for (const char* initial :
       {"cube", "plummer", "collapse", "galaxy", "galaxies", "planets", "orbit", "box"})
    CHECK(nbody::scene_of(initial).initial == std::string(initial));
  CHECK(std::string(nbody::kScenes[0].initial) == "galaxies");
  CHECK(std::string(nbody::kScenes[nbody::kSceneKeys - 1].initial) == "box");
}

TEST_CASE("the scenes' time steps, softenings and rates") {
  const struct {
    const char* initial;
    float dt, softening, rate;
  } expected[] = {{"galaxies", 0.02f, 0.05f, 2},     {"plummer", 0.01f, 0.05f, 1},
                  {"collapse", 0.005f, 0.03f, 0.5f}, {"planets", 0.005f, 0.002f, 0.5f},
                  {"box", 0.005f, 0.02f, 0.5f},      {"galaxy", 0.02f, 0.05f, 2},
                  {"cube", 0.01f, 0.05f, 0.5f},      {"orbit", 0.01f, 0, 1}};
  for (const auto& one : expected) {
    const nbody::Scene scene = nbody::scene_of(one.initial);
    CHECK((scene.dt == one.dt && scene.softening == one.softening && scene.rate == one.rate));
  }
  CHECK(nbody::kSceneKeys == 5);
}

namespace {

// A view without a window, of `bodies`, that passes a time unit in a second and does not turn.
struct Shown {
  static constexpr int kPixels = 96;
  nbody::View view;
  GPUAnimBitmap bitmap{kPixels, kPixels};

  explicit Shown(const nbody::Bodies& bodies, float dt = 0.02f) {
    view.request.settings.dt = dt;
    view.turning = 0;
    view.show_in(&bitmap);
    view.begin(bodies);
  }
  ~Shown() { view.leave(); }
  std::vector<unsigned char> draw() {
    return bitmap.read_frame(
        [](uchar4* rgba, void* data, int) { static_cast<nbody::View*>(data)->draw(rgba); }, &view,
        1);
  }
};

}  // namespace

TEST_CASE("the picture follows the center; mouse and wheel turn and zoom it") {
  nbody::Bodies bodies;
  bodies.add(1, -1, 0, 0, 0, 3, 0);
  bodies.add(1, 1, 0, 0, 0, 3, 0);
  Shown shown(bodies);
  nbody::View& view = shown.view;
  const float scale = view.make_shot().camera.pixels_per_length;
  CHECK(scale == doctest::Approx(0.4f * Shown::kPixels).epsilon(0.05));  // they are 1 from it
  shown.draw();
  // A frame of a file is 33 ms: one step of 20 ms, and 13 ms that the bodies fly on.
  CHECK(view.make_shot().ahead == doctest::Approx(0.013));
  CHECK(view.make_shot().camera.center.y == doctest::Approx(3 * 0.033));
  CHECK(view.exposure() == 2);
  view.zoom(1);
  CHECK(view.make_shot().camera.pixels_per_length == doctest::Approx(1.25 * scale));
  view.zoom(-1);
  CHECK(view.make_shot().camera.pixels_per_length == doctest::Approx(scale));
  // Half a turn for the whole width; the next drag goes on from where this one ended.
  view.look(0, 0, 1);
  view.turn(0, 0, Shown::kPixels / 2, 0);
  CHECK(view.make_shot().camera.right[2] == doctest::Approx(1));
  view.end_turn();
  view.turn(0, 0, 0, Shown::kPixels / 4);
  CHECK(view.make_shot().camera.right[2] == doctest::Approx(1));
  CHECK(view.make_shot().camera.up[1] == doctest::Approx(std::sqrt(0.5)));
  view.end_turn();
  CHECK(nbody::follow_extent(1, 10, 0) == doctest::Approx(8.7));
}

TEST_CASE("keys: pause, time step, starts") {
  const nbody::Bodies orbit = nbody::two_body_orbit();
  Shown shown(orbit), slower(orbit, 0.01f);
  slower.view.press('+');
  CHECK(slower.view.request.settings.dt == 0.02f);
  const std::vector<unsigned char> start = shown.draw();
  for (int frame = 0; frame < 20; frame++) shown.draw();
  for (int frame = 0; frame < 21; frame++) slower.draw();
  const std::vector<unsigned char> later = shown.draw();
  CHECK(later != start);
  CHECK(slower.draw() == later);  // the same steps
  slower.view.press('-');
  CHECK(slower.view.request.settings.dt == 0.01f);

  shown.view.press(' ');
  shown.draw();  // steps that were queued before
  shown.draw();
  const std::vector<unsigned char> paused = shown.draw();
  for (int frame = 0; frame < 20; frame++) shown.draw();
  CHECK(shown.draw() == paused);
  shown.view.press(' ');
  for (int frame = 0; frame < 20; frame++) shown.draw();
  CHECK(shown.draw() != paused);

  shown.view.request.start.size = 1024;
  for (int key = 0; key < nbody::kSceneKeys; key++) {
    const nbody::Scene& scene = nbody::kScenes[key];
    shown.view.press(static_cast<unsigned char>('1' + key));
    CHECK(shown.view.request.start.initial == scene.initial);
    CHECK(shown.view.request.settings.dt == scene.dt);
    CHECK(shown.view.request.settings.softening == scene.softening);
    CHECK(shown.view.rate == scene.rate);
    // Half of the picture's pixels for each pixel of light of 1024 stars.
    if (scene.initial == std::string("plummer"))
      CHECK(shown.view.exposure() == doctest::Approx(4608 / (M_PI / 3 * 1.5 * 1.5 * 1024)));
  }
}

TEST_CASE("the program") {
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  const auto ok = [&](std::vector<std::string> args, int frames, const std::string& file) {
    args.insert(args.end(), {"--frames", std::to_string(frames), "--pixels", "65", "--save", file});
    const course::RunResult result = course::run_program(args, options);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(course::contains(result.out, "saved " + file + " (65 x 65, "));
    return course::read_file(folder.file(file));
  };
  for (const char* size : {"0", "1", "2", "300"}) ok({"--size", size}, 3, "view.webp");
  for (const char* initial :
       {"cube", "plummer", "collapse", "galaxy", "galaxies", "planets", "orbit", "box"}) {
    CAPTURE(initial);
    const std::string first = ok({"--initial", initial, "--size", "200"}, 4, "a.webp");
    CHECK(ok({"--initial", initial, "--size", "200"}, 4, "b.webp") == first);
    // Not the same without moving; the steps are small, so the pictures of the ends are compared.
    const std::string still =
        ok({"--initial", initial, "--size", "200", "--turn", "0", "--rate", "0"}, 4, "a.png");
    CHECK(ok({"--initial", initial, "--size", "200", "--turn", "0", "--rate", "5"}, 4, "b.png") !=
          still);
    CHECK(ok({"--initial", initial, "--size", "200", "--turn", "0", "--rate", "0"}, 2, "b.png") ==
          still);
    CHECK(ok({"--initial", initial, "--size", "200", "--turn", "1", "--rate", "0"}, 4, "b.png") !=
          still);
  }
  // Time is what passes, not steps: half the time step, and very nearly the same picture. Through
  // the host it is the same without a window.
  const std::vector<std::string> orbit = {"--initial", "orbit", "--turn", "0", "--rate", "2"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = orbit;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::string one = ok(orbit, 6, "one.png");
  CHECK(ok(with({"--through-host"}), 6, "other.png") == one);
  CHECK(ok(with({"--dt", "0.02"}), 6, "other.png") !=
        ok(with({"--dt", "0.02", "--rate", "4"}), 6, "another.png"));
  CHECK(ok(with({"--colors", "speed"}), 6, "other.png") != one);
  ok({"--size", "300", "--version", "pairs", "--integrator", "euler"}, 2, "other.png");
  // The same picture from several devices.
  options.environment["CPU_DEVICE_COUNT"] = "2";
  const std::vector<std::string> shared = {"--size", "301",      "--devices", "2",      "--frames",
                                           "4",      "--pixels", "65",        "--save", "two.webp"};
  const course::RunResult two = course::run_program(shared, options);
  CHECK((two.exit_code == 0 || (!course::on_cpu_device() && two.exit_code == 77)));
  if (two.exit_code == 0)
    CHECK(course::read_file(folder.file("two.webp")) == ok({"--size", "301"}, 4, "one.webp"));

  // Bodies that leave are followed: the picture is not black.
  course::write_text(folder.file("away.txt"), "1 1e4 0 0  1e4 0 0\n1 1e4 1 0  1e4 0 0\n");
  const std::string black = ok({"--size", "0"}, 5, "black.png");
  CHECK(ok({"--file", "away.txt"}, 5, "away.png").size() > black.size() + 100);

  nbody::check_bad_bodies({"--frames", "1"});
  course::check_number_option("pixels");
  course::check_number_option("frames");
  course::check_refused({"--save", "view.txt"}, ".webp");
  course::check_refused({"--rate", "-1"}, "--rate must be a number");
  course::check_refused({"--turn", "nan"}, "--turn must be a number");
  course::check_refused({"--colors", "red"}, "--colors must be one of origin|speed");
  course::check_refused({"--version", "fast"}, "--version must be one of registers|pairs");
  if (course::on_cpu_device()) {
    options.environment["CPU_DEVICE_MEMORY"] = "100000000";
    const course::RunResult large = course::run_program({"--pixels", "8192"}, options);
    CHECK(large.exit_code == 2);
    CHECK_MESSAGE(course::contains(large.err, "GB on the device, which has 100 MB free"),
                  large.err);
  }
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--frames", "1"});
  course::check_damage_is_noticed({"--initial", "box", "--size", "100", "--frames", "1"});
}
