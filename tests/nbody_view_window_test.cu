// nbody_view in a window: the bodies, which another test compares with the CPU's picture, and the
// mouse that turns them.

#define main program_main
#include "../nbody/nbody_view.cu"
#undef main

#include "window_check.h"

namespace {

constexpr int kBodies = 200, kPixels = 64;

// What the program shows of bodies that stand still (--steps 0), from any side that it has turned
// them to by itself by now.
class Views {
 public:
  Views() : painter_(kPixels) {
    nbody::Request request;
    request.start.initial = "discs";
    request.start.size = kBodies;
    const nbody::Bodies bodies = request.make_bodies({nbody::kRegisters});
    pixels_per_length_ = 0.4f * kPixels / nbody::extent(bodies);
    exposure_ = std::clamp(0.3f * kPixels * kPixels / kBodies, 0.02f, 2.0f);
    const size_t bytes = kBodies * sizeof(float4);
    HANDLE_ERROR(cudaMalloc(&device_, bytes));
    HANDLE_ERROR(cudaMemcpy(device_, bodies.positions.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~Views() { cudaFree(device_); }

  // Whether the picture is what is seen with that pitch, and some yaw not smaller than before.
  bool contain(const course::Picture& picture, float pitch) {
    if (picture.empty()) return false;
    course::Picture view(4 * kPixels * kPixels);
    float yaw = yaw_;
    for (int frame = 0; frame < 5000; frame++) {
      painter_.draw(device_, kBodies, nbody::make_camera(yaw, pitch, pixels_per_length_), exposure_,
                    view.data(), nullptr);
      if (course::same_picture(picture, view)) {
        yaw_ = yaw;
        return true;
      }
      yaw += 0.005f;
    }
    return false;
  }

 private:
  nbody::Painter painter_;
  float pixels_per_length_ = 0, exposure_ = 0, yaw_ = 0.005f;
  float4* device_ = nullptr;
};

}  // namespace

TEST_CASE("the window, turned with the mouse") {
  Views views;
  float pitch = 0.5f;
  const course::WindowCase program = {
      "nbody_view",
      {"--size", std::to_string(kBodies), "--pixels", std::to_string(kPixels), "--steps", "0"},
      kPixels,
      [&](const course::Picture& picture) { return views.contain(picture, pitch); },
      "nbody"};
  const course::XServer server;
  course::WindowedProgram run(program.command(), server, course::window_options());
  const course::XWindow window = run.window();
  course::check_shown(program, window);
  const course::Picture before = window.picture();
  course::wait_until("a picture that moves", [&] { return window.picture() != before; });

  // Half a turn for a drag across the window; here down by a quarter of it.
  window.move_mouse(40, 20);
  window.press_button();
  window.move_mouse(40, 20 + kPixels / 4);
  window.release_button();
  const float flat = pitch;
  pitch += static_cast<float>(M_PI) / kPixels * (kPixels / 4);
  course::check_shown(program, window);
  window.resize(2 * kPixels, 2 * kPixels);  // where the same drag takes twice the way
  window.move_mouse(80, 40 + 2 * kPixels / 4);
  window.press_button();
  window.move_mouse(80, 40);
  window.release_button();
  pitch = flat;
  course::check_shown(program, window);

  window.press("Escape");
  const course::RunResult result = run.result();
  CHECK(result.exit_code == 0);
  CHECK(result.err == "");

  course::WindowedProgram moving({program.path(), "--size", "200", "--pixels", "64"}, server,
                                 course::window_options());
  const course::XWindow second = moving.window();
  const course::Picture first = second.picture();
  course::wait_until("bodies that move", [&] { return second.picture() != first; });
  second.close();
  CHECK(moving.result().exit_code == 0);
}
