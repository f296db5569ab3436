// A window through freeglut, shared by the bitmap classes: where there is no display (or no
// freeglut), the caller goes on without one.
#pragma once

#include <stdlib.h>

#include <functional>
#include <string>

#if __has_include(<GL/freeglut.h>)
#include <GL/freeglut.h>
#define COURSE_HAS_WINDOW 1
#else
#define COURSE_HAS_WINDOW 0
#endif

#include "options.h"

namespace course {

// Whether there is a display to ask; it may still turn out not to answer.
inline bool has_display() {
  const char* display = getenv("DISPLAY");
  return COURSE_HAS_WINDOW && display != nullptr && display[0] != '\0';
}

#if COURSE_HAS_WINDOW

// Called when the display cannot be used after all; must not return.
inline std::function<void()>& without_window() {
  static std::function<void()> action;
  return action;
}

// freeglut ends the program if it finds no display or no OpenGL: this is called instead.
inline void window_failed(const char* format, va_list arguments) {
  fprintf(stderr, "%s: no window: ", program_invocation_short_name);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  without_window()();
  exit(0);
}

// Opens a double-buffered RGBA window and makes its OpenGL context current. If that fails, says why
// in one line, calls `otherwise`, and ends the program with exit code 0.
inline void open_window(int width, int height, const std::string& title,
                        std::function<void()> otherwise) {
  without_window() = std::move(otherwise);
  glutInitErrorFunc(window_failed);
  // glutInit wants arguments that it may change, and some versions crash without any.
  int argument_count = 1;
  static char name[] = "course";
  char* arguments[] = {name, nullptr};
  glutInit(&argument_count, arguments);
  glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_GLUTMAINLOOP_RETURNS);
  glutInitDisplayMode(GLUT_DOUBLE | GLUT_RGBA);
  glutInitWindowSize(width, height);
  glutCreateWindow(title.c_str());
}

// For glutKeyboardFunc: Esc and q leave the window.
inline void leave_on_escape(unsigned char key, int, int) {
  if (key == 27 || key == 'q') glutLeaveMainLoop();
}

// For display functions: shows RGBA pixels, bottom row first, in the lower left corner.
inline void draw_pixels(int width, int height, const unsigned char* rgba) {
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDrawPixels(width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  glutSwapBuffers();
}

#endif

}  // namespace course
