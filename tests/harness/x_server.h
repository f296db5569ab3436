// A display of a test's own: starts Xvfb, and plays the user and the window manager there.
//
//   static const bool display_is_there = course::require_x_server();  // else exit code 77
//
//   course::XServer server;
//   course::WindowedProgram program({path, "--size", "64"}, server);
//   program.window().press("Escape");
//   CHECK(program.result().exit_code == 0);
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../common/program/options.h"
#include "run_program.h"

// Last: Xlib defines macros such as None.
#include <X11/Xlib.h>
#include <X11/Xutil.h>

namespace course {

inline bool is_installed(const std::string& command) {
  std::istringstream path(getenv("PATH") != nullptr ? getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    if (access((folder + "/" + command).c_str(), X_OK) == 0) return true;
  return false;
}

// Ends the test as skipped if it cannot have a display.
inline bool require_x_server() {
  for (const char* command : {"Xvfb", "xdotool"})
    if (!is_installed(command))
      skip(std::string("there is no ") + command + "; apt-get install xvfb xdotool");
  if (dlopen("libX11.so.6", RTLD_NOW) == nullptr) skip("there is no libX11.so.6");
  return true;
}

// Xlib's functions, without linking it.
#define COURSE_X(name) (reinterpret_cast<decltype(&::name)>(course::x_function(#name)))
inline void* x_function(const char* name) {
  static void* const library = dlopen("libX11.so.6", RTLD_NOW);
  void* const function = library != nullptr ? dlsym(library, name) : nullptr;
  if (function == nullptr) throw std::runtime_error(std::string("libX11 has no ") + name);
  return function;
}

// Calls done() until it is true; throws after a generous time.
inline void wait_until(const std::string& what, const std::function<bool()>& done) {
  for (int i = 0; i < 6000; i++) {
    if (done()) return;
    usleep(10000);
  }
  throw std::runtime_error("waited in vain for " + what);
}

class XServer {
 public:
  explicit XServer(int width = 640, int height = 480,
                   const std::vector<std::string>& more_arguments = {}) {
    run_detail::Pipe ready;
    std::vector<std::string> arguments = {
        "Xvfb",      "-displayfd", "3",
        "-screen",   "0",          std::to_string(width) + "x" + std::to_string(height) + "x24",
        "-nolisten", "tcp",        "-noreset"};
    arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
    const std::vector<char*> pointers = run_detail::pointers(arguments);
    const pid_t parent = getpid();
    server_ = fork();
    if (server_ < 0) run_detail::fail("fork");
    if (server_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent) _exit(127);
      unsetenv("__GLX_VENDOR_LIBRARY_NAME");  // that is for its clients
      const int nothing = open("/dev/null", O_RDWR);
      dup2(nothing, 0);
      dup2(nothing, 1);
      dup2(nothing, 2);
      dup2(ready.write.get(), 3);
      execvp(pointers[0], pointers.data());
      _exit(127);
    }
    ready.write.reset();
    char number[32] = {};
    size_t length = 0;
    while (length < sizeof number - 1 && read(ready.read.get(), number + length, 1) == 1 &&
           number[length] != '\n')
      length++;
    if (length == 0) throw std::runtime_error("Xvfb does not start");
    name_ = ":" + std::string(number, length);
    COURSE_X(XSetErrorHandler)
    ([](Display*, XErrorEvent*) { return 0; });  // windows may go any time
    wait_until("the X server", [this] {
      display_ = COURSE_X(XOpenDisplay)(name_.c_str());
      return display_ != nullptr;
    });
  }
  ~XServer() {
    COURSE_X(XCloseDisplay)(display_);
    kill(server_, SIGTERM);
    waitpid(server_, nullptr, 0);
  }
  XServer(const XServer&) = delete;
  XServer& operator=(const XServer&) = delete;

  const std::string& name() const { return name_; }  // for DISPLAY
  Display* display() const { return display_; }

  // Runs xdotool, which plays keyboard and mouse.
  void play(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "xdotool");
    RunOptions options;
    options.environment["DISPLAY"] = name_;
    const RunResult result = run(arguments, options);
    if (result.exit_code != 0) throw std::runtime_error("xdotool: " + result.err);
  }

 private:
  pid_t server_ = -1;
  std::string name_;
  Display* display_ = nullptr;
};

// A top-level window.
class XWindow {
 public:
  // Waits until a window of that title, or with a title that says more behind a colon, is shown;
  // calls look_around() meanwhile, which may throw.
  XWindow(const XServer& server, const std::string& title, const std::function<void()>& look_around)
      : server_(server) {
    wait_until("the window '" + title + "'", [&] {
      look_around();
      return find(title);
    });
    COURSE_X(XMoveWindow)(server_.display(), window_, 0, 0);  // a part off the screen has no pixels
  }

  int width() const { return attributes().width; }
  int height() const { return attributes().height; }
  bool is_shown() const { return attributes().map_state == IsViewable; }

  std::string title() const {
    char* name = nullptr;
    if (COURSE_X(XFetchName)(server_.display(), window_, &name) == 0 || name == nullptr) return "";
    const std::string result = name;
    COURSE_X(XFree)(name);
    return result;
  }

  // What the window shows: RGBA, bottom row first.
  std::vector<unsigned char> picture() const {
    const int width = this->width(), height = this->height();
    XImage* image =
        COURSE_X(XGetImage)(server_.display(), window_, 0, 0, width, height, AllPlanes, ZPixmap);
    if (image == nullptr) throw std::runtime_error("the window cannot be read");
    std::vector<unsigned char> rgba;
    rgba.reserve(4 * size_t(width) * height);
    for (int y = height - 1; y >= 0; y--)
      for (int x = 0; x < width; x++) {
        const unsigned long pixel = XGetPixel(image, x, y);
        rgba.insert(rgba.end(), {static_cast<unsigned char>(pixel >> 16),
                                 static_cast<unsigned char>(pixel >> 8),
                                 static_cast<unsigned char>(pixel), 255});
      }
    XDestroyImage(image);
    return rgba;
  }

  // A key, as typed: "Escape", "a".
  void press(const std::string& key) const { server_.play({"windowfocus", id(), "key", key}); }
  // The mouse, in pixels of the window from its top left corner.
  void move_mouse(int x, int y) const {
    server_.play({"mousemove", "--window", id(), std::to_string(x), std::to_string(y)});
  }
  void press_button(int button = 1) const { server_.play({"mousedown", std::to_string(button)}); }
  void release_button(int button = 1) const { server_.play({"mouseup", std::to_string(button)}); }

  void resize(int width, int height) const {
    COURSE_X(XResizeWindow)(server_.display(), window_, width, height);
    COURSE_X(XSync)(server_.display(), 0);
  }
  // What a window manager does with a window that is minimized, and with one that comes back.
  void hide() const {
    COURSE_X(XUnmapWindow)(server_.display(), window_);
    COURSE_X(XSync)(server_.display(), 0);
  }
  void show() const {
    COURSE_X(XMapWindow)(server_.display(), window_);
    COURSE_X(XSync)(server_.display(), 0);
  }
  // What a window manager does when its close button is pressed.
  void close() const {
    Display* const display = server_.display();
    XEvent event = {};
    event.xclient.type = ClientMessage;
    event.xclient.window = window_;
    event.xclient.message_type = COURSE_X(XInternAtom)(display, "WM_PROTOCOLS", 0);
    event.xclient.format = 32;
    event.xclient.data.l[0] =
        static_cast<long>(COURSE_X(XInternAtom)(display, "WM_DELETE_WINDOW", 0));
    COURSE_X(XSendEvent)(display, window_, 0, NoEventMask, &event);
    COURSE_X(XSync)(display, 0);
  }

 private:
  std::string id() const { return std::to_string(window_); }

  XWindowAttributes attributes() const {
    XWindowAttributes result = {};
    COURSE_X(XGetWindowAttributes)(server_.display(), window_, &result);
    return result;
  }

  bool find(const std::string& title) {
    Display* const display = server_.display();
    Window root = 0, parent = 0, *children = nullptr;
    unsigned int count = 0;
    COURSE_X(XQueryTree)
    (display, COURSE_X(XDefaultRootWindow)(display), &root, &parent, &children, &count);
    bool found = false;
    for (unsigned int i = 0; i < count && !found; i++) {
      char* name = nullptr;
      if (COURSE_X(XFetchName)(display, children[i], &name) == 0 || name == nullptr) continue;
      window_ = children[i];
      found = (title == name || std::string(name).rfind(title + ": ", 0) == 0) && is_shown();
      COURSE_X(XFree)(name);
    }
    if (children != nullptr) COURSE_X(XFree)(children);
    return found;
  }

  const XServer& server_;
  Window window_ = 0;
};

// A program that runs on a display until its window is closed.
class WindowedProgram {
 public:
  WindowedProgram(const std::vector<std::string>& arguments, const XServer& server,
                  RunOptions options = {})
      : server_(server), title_(arguments.at(0).substr(arguments.at(0).rfind('/') + 1)) {
    options.environment["DISPLAY"] = server.name();
    running_ = std::async(std::launch::async, [=] { return run(arguments, options); });
  }

  // When a test gives up, what the program said may be why.
  ~WindowedProgram() {
    if (!running_.valid() || std::uncaught_exceptions() == 0) return;
    const RunResult result = running_.get();
    fprintf(stderr, "%s: exit code %d, signal %d%s; it said:\n%s%s\n", title_.c_str(),
            result.exit_code, result.signal, result.timed_out ? ", killed as it went on" : "",
            result.out.c_str(), result.err.c_str());
  }
  WindowedProgram(const WindowedProgram&) = delete;
  WindowedProgram& operator=(const WindowedProgram&) = delete;

  bool has_ended() const {
    return running_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  // Waits for its window.
  XWindow window() {
    return XWindow(server_, title_, [this] {
      if (!has_ended()) return;
      const RunResult result = running_.get();
      throw std::runtime_error(title_ + " ended without a window, with exit code " +
                               std::to_string(result.exit_code) + ": " + result.out + result.err);
    });
  }

  // Waits for its end.
  RunResult result() { return running_.get(); }

 private:
  const XServer& server_;
  std::string title_;
  std::future<RunResult> running_;
};

}  // namespace course
