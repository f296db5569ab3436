// What every program with a window owes to its user, for the tests of windows.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../../common/program/compare.h"
#include "../../common/pictures/window.h"
#include "x_server.h"

namespace course {

static const bool display_is_there = require_x_server();

using Picture = std::vector<unsigned char>;  // RGBA, bottom row first

// A program that draws `size` x `size` pixels with these arguments, and how to tell whether a
// picture is one that it draws.
struct WindowCase {
  std::string name;
  std::vector<std::string> arguments;
  int size;
  std::function<bool(const Picture&)> draws;
  std::string chapter = "ch08_interop";

  std::string path() const {
    return std::string(getenv("COURSE_BUILD")) + "/" + chapter + "/" + name;
  }

  std::vector<std::string> command() const {
    std::vector<std::string> words = {path()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }
};

inline bool same_picture(const Picture& a, const Picture& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++)
    if (std::abs(a[i] - b[i]) > 2) return false;
  return true;
}

// The part of a window that shows a picture of size x size pixels, zoomed by a whole number, as it
// was before; empty if its pixels are not zoomed evenly, or the rest of the window is not black.
inline Picture unzoomed(const Picture& window, int width, int height, int size) {
  const PictureArea area = picture_area(size, size, width, height);
  const int zoom = static_cast<int>(area.zoom);
  Picture picture(4 * size_t(size) * size);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const unsigned char* pixel = &window[4 * (x + size_t(y) * width)];
      const int px = x - area.left, py = y - area.bottom;
      if (px < 0 || py < 0 || px >= size * zoom || py >= size * zoom) {
        if (pixel[0] + pixel[1] + pixel[2] != 0) return {};
        continue;
      }
      unsigned char* target = &picture[4 * (px / zoom + size_t(py / zoom) * size)];
      if (px % zoom == 0 && py % zoom == 0) std::copy_n(pixel, 4, target);
      if (!std::equal(pixel, pixel + 4, target)) return {};
    }
  return picture;
}

// Waits until the window shows what the program draws, in the middle and undistorted.
inline void check_shown(const WindowCase& program, const XWindow& window) {
  int width = 0, height = 0;
  Picture shown;
  const auto saw_it = [&] {
    width = window.width();
    height = window.height();
    shown = window.picture();
    if (shown.size() != 4 * size_t(width) * height) return false;  // resized meanwhile
    return program.draws(unzoomed(shown, width, height, program.size));
  };
  try {
    wait_until("the picture of " + program.name, saw_it);
  } catch (const std::exception& problem) {
    int lit = 0;
    for (size_t i = 0; i + 3 < shown.size(); i += 4)
      lit += shown[i] + shown[i + 1] + shown[i + 2] > 0;
    FAIL_CHECK(std::string(problem.what()) << "; in its window of " << width << " x " << height
                                           << " " << lit << " pixels are not black");
  }
}

// Options for programs on the CPU device: the software renderer, wherever the test runs.
inline RunOptions window_options() {
  RunOptions options;
  if (on_cpu_device())
    options.environment = {{"LIBGL_ALWAYS_SOFTWARE", "1"}, {"__GLX_VENDOR_LIBRARY_NAME", "mesa"}};
  return options;
}

// Nothing on stderr but, on a GPU whose OpenGL is another's, that frames are copied.
inline void check_quiet(const std::string& err) {
  if (on_cpu_device())
    CHECK(err == "");
  else
    CHECK((err.empty() || (count_lines(err) == 1 && contains(err, "copied through the host"))));
}

inline void check_window(const WindowCase& program) {
  const XServer server;
  const std::vector<std::string> command = program.command();
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = command;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };

  SUBCASE("Esc leaves") {
    WindowedProgram run(command, server, window_options());
    const XWindow window = run.window();
    check_shown(program, window);
    CHECK(window.width() == program.size);
    CHECK(window.height() == program.size);
    window.press("a");  // means nothing
    window.press("Escape");
    const RunResult result = run.result();
    CHECK(result.exit_code == 0);
    check_quiet(result.err);
  }
  SUBCASE("the window manager closes it") {
    WindowedProgram run(command, server, window_options());
    const XWindow window = run.window();
    check_shown(program, window);
    window.close();
    const RunResult result = run.result();
    CHECK(result.exit_code == 0);
    check_quiet(result.err);
  }
  SUBCASE("larger, smaller, hidden, shown, clicked") {
    WindowedProgram run(command, server, window_options());
    const XWindow window = run.window();
    check_shown(program, window);
    window.resize(2 * program.size, 2 * program.size);
    check_shown(program, window);
    window.resize(3 * program.size + 10, 2 * program.size);
    check_shown(program, window);
    window.hide();
    wait_until("the window to go", [&] { return !window.is_shown(); });
    window.show();
    check_shown(program, window);
    window.resize(1, 1);
    for (int button : {1, 2, 3, 4, 5}) {
      window.press_button(button);
      window.release_button(button);
    }
    window.resize(program.size, program.size);
    check_shown(program, window);
    window.press("q");
    CHECK(run.result().exit_code == 0);
  }
  SUBCASE("larger than the screen") {
    const XServer small(program.size / 2, program.size - 8);
    WindowedProgram run(command, small, window_options());
    const XWindow window = run.window();
    CHECK(window.width() == program.size / 2);
    CHECK(window.height() == program.size / 2);
    window.press("Escape");
    const RunResult result = run.result();
    CHECK(result.exit_code == 0);
    CHECK_MESSAGE(contains(result.err, "is larger than the screen"), result.err);
  }
  if (on_cpu_device()) {  // told to Mesa, the software renderer
    SUBCASE("OpenGL is too old to share, or for GLEW") {
      for (const auto& [version, reason] :
           {std::pair<const char*, const char*>{"1.4", "OpenGL 1.4 is older than 2.1"},
            {"1.0", "GLEW does not start: "}}) {
        RunOptions options = window_options();
        options.environment["MESA_GL_VERSION_OVERRIDE"] = version;
        WindowedProgram run(command, server, options);
        const XWindow window = run.window();
        check_shown(program, window);
        window.press("Escape");
        const RunResult result = run.result();
        CHECK(result.exit_code == 0);
        CHECK(count_lines(result.err) == 1);
        CHECK_MESSAGE(contains(result.err, reason), result.err);
      }
    }
    SUBCASE("the server has no OpenGL, or none for us: a file") {
      TemporaryFolder folder;
      for (int server_without : {0, 1}) {
        const XServer other(640, 480,
                            server_without ? std::vector<std::string>{"-extension", "GLX"}
                                           : std::vector<std::string>{});
        RunOptions options = window_options();
        options.working_directory = folder.path();
        options.environment["DISPLAY"] = other.name();
        // As over `ssh -X`: the X server is to do the drawing, and refuses.
        if (!server_without) options.environment["LIBGL_ALWAYS_INDIRECT"] = "1";
        const RunResult result = course::run(command, options);
        CHECK(result.exit_code == 0);
        CHECK_MESSAGE(count_lines(result.err) == 1, result.err);
        CHECK_MESSAGE(contains(result.err, "no window: "), result.err);
        CHECK_MESSAGE(contains(result.out, "saved " + program.name), result.out);
        CHECK(folder.names().size() == 1);
      }
    }
  }
  SUBCASE("a display that does not answer: a file") {
    TemporaryFolder folder;
    RunOptions options = window_options();
    options.working_directory = folder.path();
    options.environment["DISPLAY"] = ":4711";
    const RunResult result = course::run(command, options);
    CHECK(result.exit_code == 0);
    CHECK_MESSAGE(count_lines(result.err) == 1, result.err);
    CHECK_MESSAGE(contains(result.out, "saved " + program.name), result.out);
  }
  SUBCASE("a file is asked for: no window") {
    TemporaryFolder folder;
    RunOptions options = window_options();
    options.working_directory = folder.path();
    options.environment["DISPLAY"] = server.name();
    const RunResult result = course::run(with({"--save", "x.png"}), options);
    CHECK(result.exit_code == 0);
    CHECK(result.err == "");
    CHECK(folder.names() == std::vector<std::string>{"x.png"});
  }
}

// The same for an animation: what its own options do.
inline void check_animation_window(const WindowCase& program) {
  const XServer server;
  const std::vector<std::string> command = program.command();
  RunOptions options = window_options();
  options.environment["DISPLAY"] = server.name();

  SUBCASE("so many frames, and their times") {
    std::vector<std::string> timed = command;
    timed.insert(timed.end(), {"--frames", "7", "--times"});
    const RunResult result = run(timed, options);
    CHECK(result.exit_code == 0);
    check_quiet(result.err);
    for (int frame : {1, 2, 3, 4, 5, 6, 7})
      CHECK(contains(result.out, "frame " + std::to_string(frame) + ": kernels "));
    CHECK(contains(result.out, "medians of 7 frames: kernels "));
    CHECK(!contains(result.out, "frame 8"));
    CHECK(contains(result.out, ", draw "));
    if (on_cpu_device()) {
      CHECK(contains(result.out, ", map and unmap "));
      CHECK(!contains(result.out, ", copies "));
    }
  }
  SUBCASE("through the host") {
    std::vector<std::string> copied = command;
    copied.insert(copied.end(), {"--through-host", "--times"});
    WindowedProgram run(copied, server, options);
    const XWindow window = run.window();
    check_shown(program, window);
    window.press("Escape");
    const RunResult result = run.result();
    CHECK(result.exit_code == 0);
    CHECK(result.err ==
          program.name + ": each frame is copied through the host: because of --through-host\n");
    CHECK(contains(result.out, ", copies "));
    CHECK(!contains(result.out, ", map and unmap "));
  }
  SUBCASE("hidden, it rests") {
    WindowedProgram run(command, server, options);
    const XWindow window = run.window();
    check_shown(program, window);
    window.hide();
    usleep(300000);  // let it notice
    window.show();
    check_shown(program, window);
    window.press("Escape");
    CHECK(run.result().exit_code == 0);
  }
}

// An animation of chapters 5 and 7, whose frames are drawn into host memory.
inline void check_host_animation(const WindowCase& program) {
  const XServer server;
  WindowedProgram run(program.command(), server, window_options());
  const XWindow window = run.window();
  check_shown(program, window);
  const Picture before = window.picture();
  wait_until("a picture that moves", [&] { return window.picture() != before; });
  window.resize(3 * program.size + 10, 2 * program.size);
  check_shown(program, window);
  window.hide();
  wait_until("the window to go", [&] { return !window.is_shown(); });
  window.show();
  check_shown(program, window);
  for (int button : {1, 2, 3}) {  // nobody asked for the mouse
    window.press_button(button);
    window.release_button(button);
  }
  check_shown(program, window);
  window.press("Escape");
  const RunResult result = run.result();
  CHECK(result.exit_code == 0);
  CHECK(result.err == "");

  WindowedProgram again(program.command(), server, window_options());
  const XWindow second = again.window();
  check_shown(program, second);
  second.close();
  CHECK(again.result().exit_code == 0);
}

}  // namespace course
