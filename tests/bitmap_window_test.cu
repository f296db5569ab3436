// CPUBitmap and CPUAnimBitmap in a window: the pictures of chapters 4 to 7, and the view of N-body.

#include <png.h>

#include "../common/window.h"
#include "window_check.h"

namespace {

using course::Picture;
using course::WindowCase;

// What a program writes into a PNG file with these arguments: RGBA, bottom row first.
Picture saved_picture(const WindowCase& program, const std::vector<std::string>& more = {}) {
  course::TemporaryFolder folder;
  const std::string path = folder.path() + "/picture.png";
  std::vector<std::string> command = program.command();
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {"--save", path});
  const course::RunResult result = course::run(command, {});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
  image.format = PNG_FORMAT_RGBA;
  Picture picture(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, picture.data(),
                                -static_cast<png_int_32>(PNG_IMAGE_ROW_STRIDE(image)),
                                nullptr) != 0);
  return picture;
}

// A still is shown as it is saved, opaque.
void check_still(const std::string& chapter, const std::string& name) {
  INFO(name);
  constexpr int kSize = 128;
  WindowCase program = {name, {"--size", std::to_string(kSize)}, kSize, {}, chapter};
  const Picture expected = saved_picture(program);
  program.draws = [&](const Picture& picture) { return course::same_picture(picture, expected); };
  const course::XServer server;
  course::WindowedProgram run(program.command(), server, course::window_options());
  const course::XWindow window = run.window();
  course::check_shown(program, window);
  window.resize(2 * kSize, 2 * kSize);
  course::check_shown(program, window);
  window.press("Escape");
  const course::RunResult result = run.result();
  CHECK(result.exit_code == 0);
  CHECK(result.err == "");
}

// An animation shows one of its first frames if it is to stop there; else it goes on until it is
// left.
void check_animation(const std::string& chapter, const std::string& name,
                     const std::vector<std::string>& arguments) {
  INFO(name);
  constexpr int kSize = 128;
  WindowCase program = {name, arguments, kSize, {}, chapter};
  const Picture first = saved_picture(program, {"--frames", "1"});
  const Picture later = saved_picture(program, {"--frames", "30"});
  CHECK_FALSE(course::same_picture(first, later));
  // Frames come faster than we can look; but all of them are as like these two as is possible for a
  // picture that moves: as bright.
  const auto brightness = [](const Picture& picture) {
    double sum = 0;
    for (size_t i = 0; i < picture.size(); i += 4)
      sum += picture[i] + picture[i + 1] + picture[i + 2];
    return sum / (0.75 * picture.size());
  };
  program.draws = [&](const Picture& picture) {
    return !picture.empty() && std::abs(brightness(picture) - brightness(first)) < 40;
  };
  const course::XServer server;
  course::WindowedProgram run(program.command(), server, course::window_options());
  const course::XWindow window = run.window();
  course::check_shown(program, window);
  const Picture before = window.picture();
  course::wait_until("a picture that moves", [&] { return window.picture() != before; });
  window.move_mouse(30, 60);  // turns the view of N-body, does nothing elsewhere
  window.press_button();
  window.move_mouse(90, 40);
  window.release_button();
  course::check_shown(program, window);
  window.close();
  const course::RunResult result = run.result();
  CHECK(result.exit_code == 0);
  CHECK(result.err == "");
}

}  // namespace

TEST_CASE("stills") {
  for (const char* name : {"julia_cpu", "julia_blocks", "julia_threads"})
    check_still("ch04_parallel", name);
  check_still("ch05_threads", "shared_bitmap");
  for (const char* name : {"ray_global", "ray_constant"}) check_still("ch06_constant", name);
}

TEST_CASE("animations") {
  check_animation("ch05_threads", "ripple", {"--size", "128"});
  for (const char* name : {"heat_global", "heat_texture_1d", "heat_texture_2d"})
    check_animation("ch07_texture", name, {"--size", "128", "--steps", "1"});
  check_animation("nbody", "nbody_view", {"--size", "500", "--pixels", "128"});
}

TEST_CASE("an animation ends after --frames") {
  const course::XServer server;
  course::RunOptions options = course::window_options();
  options.environment["DISPLAY"] = server.name();
  const std::string ripple = std::string(getenv("COURSE_BUILD")) + "/ch05_threads/ripple";
  const course::RunResult result = course::run({ripple, "--size", "64", "--frames", "5"}, options);
  CHECK(result.exit_code == 0);
  CHECK(result.err == "");
  CHECK_FALSE(course::contains(result.out, "saved"));
}
