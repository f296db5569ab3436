// A window through freeglut, shared by the bitmap classes: where there is no display (or no
// freeglut), the caller goes on without one.
#pragma once

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#if __has_include(<GL/freeglut.h>)
#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES  // listings that include <GL/glut.h> after this call glGenBuffers
#endif
#include <GL/freeglut.h>
#define COURSE_HAS_WINDOW 1
#else
#define COURSE_HAS_WINDOW 0
#endif

#include "../program/options.h"

namespace course {

// Whether a display is set. It may still turn out not to answer.
inline bool has_display() {
  const char* display = getenv("DISPLAY");
  return COURSE_HAS_WINDOW && display != nullptr && display[0] != '\0';
}

// Where a picture lies in a window: undistorted, as large as fits, in the middle. In pixels of the
// window, from its lower left corner.
struct PictureArea {
  int left, bottom, top;  // margins
  double zoom;            // pixels of the window per pixel of the picture
};

inline PictureArea picture_area(int width, int height, int window_width, int window_height) {
  PictureArea area = {};
  area.zoom = std::min(static_cast<double>(window_width) / width,
                       static_cast<double>(window_height) / height);
  area.left = static_cast<int>((window_width - width * area.zoom) / 2);
  area.bottom = static_cast<int>((window_height - height * area.zoom) / 2);
  area.top = static_cast<int>(std::lround(window_height - height * area.zoom)) - area.bottom;
  return area;
}

#if COURSE_HAS_WINDOW

namespace window_detail {

inline jmp_buf& way_out() {
  static jmp_buf buffer;
  return buffer;
}
inline std::string& problem() {
  static std::string text;
  return text;
}
inline bool& refused() {
  static bool value = false;
  return value;
}

// freeglut ends the program if it finds no display or no OpenGL, unless this does not return.
inline void freeglut_failed(const char* format, va_list arguments) {
  char text[512];
  vsnprintf(text, sizeof text, format, arguments);
  problem() = text;
  longjmp(way_out(), 1);
}

// So does Xlib, if the server refuses a request, such as OpenGL over `ssh -X`.
inline int x_refused(void*, void*) {
  refused() = true;
  return 0;
}

// Calls function(), and returns false if freeglut gave up in it.
inline bool survives(void (*function)()) {
  if (setjmp(way_out()) != 0) return false;
  function();
  return true;
}

inline void initialize() {
  // glutInit needs arguments that it may change, and some versions crash without any.
  int argument_count = 1;
  static char name[] = "course";
  char* arguments[] = {name, nullptr};
  glutInit(&argument_count, arguments);
}

inline void create() { glutCreateWindow(program_invocation_short_name); }

}  // namespace window_detail

// Opens a double-buffered RGBA window, as large as the picture or the screen, and makes its OpenGL
// context current. If that fails, returns false and has said why in one line.
inline bool try_open_window(int width, int height) {
  using namespace window_detail;
  const char* const program = program_invocation_short_name;
  glutInitErrorFunc(freeglut_failed);
  bool open = survives(initialize);
  if (open) {
    const double zoom = std::min({1.0, static_cast<double>(glutGet(GLUT_SCREEN_WIDTH)) / width,
                                  static_cast<double>(glutGet(GLUT_SCREEN_HEIGHT)) / height});
    glutInitWindowSize(std::max(1, static_cast<int>(width * zoom)),
                       std::max(1, static_cast<int>(height * zoom)));
    glutInitDisplayMode(GLUT_DOUBLE | GLUT_RGBA);
    glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_GLUTMAINLOOP_RETURNS);
    // freeglut brings Xlib along, whose headers would define None and Success.
    using Handler = int (*)(void*, void*);
    const auto set_handler =
        reinterpret_cast<Handler (*)(Handler)>(dlsym(RTLD_DEFAULT, "XSetErrorHandler"));
    refused() = false;
    const Handler before = set_handler != nullptr ? set_handler(x_refused) : nullptr;
    open = survives(create) && glGetString(GL_VERSION) != nullptr;
    if (set_handler != nullptr && open) set_handler(before);  // else more may come, late
    if (!open && refused()) problem() = "the X server refuses it OpenGL";
    GLint largest = 0;
    if (open) glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (open && std::max(width, height) > largest) {
      problem() = "its OpenGL draws pictures of at most " + std::to_string(largest) + " x " +
                  std::to_string(largest) + " pixels";
      glutDestroyWindow(glutGetWindow());
      open = false;
    } else if (open && zoom < 1) {
      fprintf(stderr, "%s: the picture, %d x %d, is larger than the screen: it is shown smaller\n",
              program, width, height);
    }
  }
  glutInitErrorFunc(nullptr);
  if (!open) fprintf(stderr, "%s: no window: %s\n", program, problem().c_str());
  return open;
}

// The same; if it fails, calls `otherwise` and ends the program with exit code 0.
inline void open_window(int width, int height, const std::function<void()>& otherwise) {
  if (try_open_window(width, height)) return;
  otherwise();
  exit(0);
}

// For glutKeyboardFunc: Esc and q leave the window.
inline void leave_on_escape(unsigned char key, int, int) {
  if (key == 27 || key == 'q') glutLeaveMainLoop();
}

// Some drivers learn late that a window has another size or is back on the screen, and draw what is
// gone: so the window is drawn once more, a moment later.
inline void draw_again_soon() {
  glutTimerFunc(
      150,
      [](int) {
        if (glutGetWindow() != 0) glutPostRedisplay();
      },
      0);
}

// For pictures that do not move: calls draw() whenever the window needs it.
inline void show_still(void (*draw)()) {
  glutDisplayFunc(draw);
  glutWindowStatusFunc([](int state) {
    if (state == GLUT_HIDDEN || state == GLUT_FULLY_COVERED) return;
    glutPostRedisplay();
    draw_again_soon();
  });
}

// Calls idle() again and again, except while the window is not visible.
inline void animate(void (*idle)()) {
  static void (*animation)() = nullptr;
  animation = idle;
  glutIdleFunc(idle);
  glutWindowStatusFunc([](int state) {
    const bool visible = state != GLUT_HIDDEN && state != GLUT_FULLY_COVERED;
    glutIdleFunc(visible ? animation : nullptr);
  });
}

inline PictureArea picture_area(int width, int height) {
  return picture_area(width, height, glutGet(GLUT_WINDOW_WIDTH), glutGet(GLUT_WINDOW_HEIGHT));
}

// The pixel of the picture under a point of the window. Both have their origin at the top left.
inline void window_to_picture(int width, int height, int* x, int* y) {
  const PictureArea area = picture_area(width, height);
  *x = static_cast<int>(std::floor((*x + 0.5 - area.left) / area.zoom));
  *y = static_cast<int>(std::floor((*y + 0.5 - area.top) / area.zoom));
}

// Clears the window, and makes the next glDrawPixels draw a picture of this size where it belongs.
inline void place_picture(int width, int height) {
  const int window_width = glutGet(GLUT_WINDOW_WIDTH), window_height = glutGet(GLUT_WINDOW_HEIGHT);
  const PictureArea area = picture_area(width, height);
  static int last_width = 0, last_height = 0;
  if (window_width != last_width || window_height != last_height) draw_again_soon();
  last_width = window_width;
  last_height = window_height;
  glViewport(0, 0, window_width, window_height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  // A quarter of a pixel from the edge, so that rounding neither moves the picture nor clips it.
  glRasterPos2d(2 * (area.left + 0.25) / window_width - 1,
                2 * (area.bottom + 0.25) / window_height - 1);
  glPixelZoom(static_cast<float>(area.zoom), static_cast<float>(area.zoom));
}

// For display functions: shows RGBA pixels, bottom row first. If a buffer is bound to
// GL_PIXEL_UNPACK_BUFFER, `rgba` counts from its start.
inline void draw_pixels(int width, int height, const void* rgba) {
  place_picture(width, height);
  glDrawPixels(width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  glutSwapBuffers();
}

#endif

}  // namespace course
