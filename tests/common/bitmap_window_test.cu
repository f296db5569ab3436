// CPUBitmap in a window: the stills of chapters 4 to 6.

#include <png.h>

#include "../../common/pictures/window.h"
#include "../harness/window_check.h"

namespace {

using course::Picture;
using course::WindowCase;

// What a program writes into a PNG file with these arguments: RGBA, bottom row first.
Picture saved_picture(const WindowCase& program) {
  course::TemporaryFolder folder;
  const std::string path = folder.path() + "/picture.png";
  std::vector<std::string> command = program.command();
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

  course::WindowedProgram again(program.command(), server, course::window_options());
  const course::XWindow second = again.window();
  course::check_shown(program, second);
  second.close();
  CHECK(again.result().exit_code == 0);
}

}  // namespace

TEST_CASE("stills") {
  for (const char* name : {"julia_cpu", "julia_blocks", "julia_threads"})
    check_still("ch04_parallel", name);
  check_still("ch05_threads", "shared_bitmap");
  for (const char* name : {"ray_global", "ray_constant"}) check_still("ch06_constant", name);
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
