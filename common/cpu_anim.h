// CPUAnimBitmap: an animation whose frames are drawn into host memory. The interface is the book's.
// With a display it opens a window (Esc, q or the window's close button leaves); without one, or
// with --save, it writes an animated WebP file, or the last frame as a PNG file.
#pragma once

#include <stdio.h>

#include <new>
#include <string>

#include "pictures/animation.h"
#include "program/options.h"
#include "pictures/window.h"

struct CPUAnimBitmap {
  unsigned char* pixels;  // RGBA, 4 bytes per pixel, bottom row first
  int width, height;      // in pixels
  void* dataBlock;        // the user's; handed to every callback
  void (*fAnim)(void*, int) = nullptr;
  void (*animExit)(void*) = nullptr;
  void (*clickDrag)(void*, int, int, int, int) = nullptr;
  int dragStartX = 0, dragStartY = 0;
  int default_frames = course::kDefaultFrames;  // of a file, without --frames

  // A black picture. Width and height must be positive.
  CPUAnimBitmap(int w, int h, void* data = nullptr) : width(w), height(h), dataBlock(data) {
    if (w <= 0 || h <= 0)
      course::bad_usage("a picture needs at least 1 x 1 pixels, not " + std::to_string(w) + " x " +
                        std::to_string(h));
    if (!course::picture_request().save.empty() || !course::has_display())
      course::require_animation_size(w, h);
    const size_t bytes = 4 * static_cast<size_t>(w) * static_cast<size_t>(h);
    pixels = new (std::nothrow) unsigned char[bytes]();
    if (pixels == nullptr)
      course::bad_usage("there is no memory for a picture of " + std::to_string(w) + " x " +
                        std::to_string(h) + " pixels");
  }
  ~CPUAnimBitmap() { delete[] pixels; }
  CPUAnimBitmap(const CPUAnimBitmap&) = delete;
  CPUAnimBitmap& operator=(const CPUAnimBitmap&) = delete;

  unsigned char* get_ptr() const { return pixels; }
  long image_size() const { return 4L * width * height; }  // bytes

  // Calls f(dataBlock, startX, startY, endX, endY) whenever the left mouse button is released. The
  // start is where it was pressed. In pixels of the picture, from its top left corner.
  void click_drag(void (*f)(void*, int, int, int, int)) { clickDrag = f; }

  // Calls f(dataBlock, ticks), with ticks = 1, 2, ..., for each frame, and shows what it has left
  // in `pixels`, until the user leaves or --frames is reached; then calls e(dataBlock) and ends the
  // program with exit code 0. Either may be NULL.
  void anim_and_exit(void (*f)(void*, int), void (*e)(void*)) {
    fAnim = f;
    animExit = e;
    if (!course::picture_request().save.empty() || !course::has_display()) save_and_exit();
#if COURSE_HAS_WINDOW
    *get_bitmap_ptr() = this;
    course::open_window(width, height, [this] { save_and_exit(); });
    glutKeyboardFunc(course::leave_on_escape);
    if (clickDrag != nullptr) glutMouseFunc(mouse_func);
    glutDisplayFunc(Draw);
    course::animate(idle_func);
    glutMainLoop();  // returns when the window is closed
    leave();
#endif
  }

  // freeglut's callbacks carry no data, so the animation on show is kept here.
  static CPUAnimBitmap** get_bitmap_ptr() {
    static CPUAnimBitmap* bitmap = nullptr;
    return &bitmap;
  }

 private:
  [[noreturn]] void save_and_exit() {
    course::save_animation(
        width, height,
        [this](int ticks) {
          if (fAnim != nullptr) fAnim(dataBlock, ticks);
          return pixels;
        },
        default_frames);
    leave();
  }

  [[noreturn]] void leave() {
    if (animExit != nullptr) animExit(dataBlock);
    exit(0);
  }

#if COURSE_HAS_WINDOW
  static void idle_func() {
    static int ticks = 1;
    const int frames = course::picture_request().frames;
    if (frames > 0 && ticks > frames) return glutLeaveMainLoop();
    CPUAnimBitmap* bitmap = *get_bitmap_ptr();
    if (bitmap->fAnim != nullptr) bitmap->fAnim(bitmap->dataBlock, ticks);
    glutPostRedisplay();
    ticks++;
  }

  static void mouse_func(int button, int state, int x, int y) {
    if (button != GLUT_LEFT_BUTTON) return;
    CPUAnimBitmap* bitmap = *get_bitmap_ptr();
    course::window_to_picture(bitmap->width, bitmap->height, &x, &y);
    if (state == GLUT_DOWN) {
      bitmap->dragStartX = x;
      bitmap->dragStartY = y;
    } else {
      bitmap->clickDrag(bitmap->dataBlock, bitmap->dragStartX, bitmap->dragStartY, x, y);
    }
  }

  static void Draw() {
    const CPUAnimBitmap* bitmap = *get_bitmap_ptr();
    course::draw_pixels(bitmap->width, bitmap->height, bitmap->pixels);
  }
#endif
};
