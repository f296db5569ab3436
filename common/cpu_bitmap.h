// CPUBitmap: a picture in host memory that is shown at the end of a program. The interface is the
// book's. With a display it opens a window (Esc, q or the window's close button leaves); without
// one, or with --save, it writes a PNG file.
#pragma once

#include <stdio.h>

#include <limits>
#include <new>
#include <string>
#include <vector>

#include "program/options.h"
#include "pictures/picture.h"
#include "pictures/window.h"

struct CPUBitmap {
  unsigned char* pixels;  // RGBA, 4 bytes per pixel, bottom row first
  int x, y;               // width and height in pixels
  void* dataBlock;        // the user's; handed to the callback of display_and_exit()
  void (*bitmapExit)(void*) = nullptr;

  // A black, transparent picture. Width and height must be positive.
  CPUBitmap(int width, int height, void* data = nullptr) : x(width), y(height), dataBlock(data) {
    if (width <= 0 || height <= 0)
      course::bad_usage("a picture needs at least 1 x 1 pixels, not " + std::to_string(width) +
                        " x " + std::to_string(height));
    if (!course::picture_request().save.empty() || !course::has_display())
      course::require_png_size(width, height);
    const size_t bytes = 4 * static_cast<size_t>(width) * static_cast<size_t>(height);
    pixels = new (std::nothrow) unsigned char[bytes]();
    if (pixels == nullptr)
      course::bad_usage("there is no memory for a picture of " + std::to_string(width) + " x " +
                        std::to_string(height) + " pixels");
  }
  ~CPUBitmap() { delete[] pixels; }
  CPUBitmap(const CPUBitmap&) = delete;
  CPUBitmap& operator=(const CPUBitmap&) = delete;

  unsigned char* get_ptr() const { return pixels; }
  long image_size() const { return 4L * x * y; }  // bytes

  // Shows the picture until the user leaves, or saves it; then calls on_exit(dataBlock) and ends
  // the program with exit code 0.
  void display_and_exit(void (*on_exit)(void*) = nullptr) {
    bitmapExit = on_exit;
    if (!course::picture_request().save.empty() || !course::has_display()) save_and_exit();
#if COURSE_HAS_WINDOW
    shown() = this;
    course::open_window(x, y, [this] { save_and_exit(); });
    glutKeyboardFunc(course::leave_on_escape);
    course::show_still(draw);
    glutMainLoop();  // returns when the window is closed
    leave();
#endif
  }

  // Writes the picture to the file that --save names, else to PROGRAM.png in the current folder.
  void save() const { course::save_picture(pixels, x, y); }

 private:
  [[noreturn]] void save_and_exit() {
    save();
    leave();
  }

  [[noreturn]] void leave() {
    if (bitmapExit != nullptr) bitmapExit(dataBlock);
    exit(0);
  }

#if COURSE_HAS_WINDOW
  // freeglut's callbacks carry no data, so the picture on show is kept here.
  static CPUBitmap*& shown() {
    static CPUBitmap* bitmap = nullptr;
    return bitmap;
  }

  static void draw() { course::draw_pixels(shown()->x, shown()->y, shown()->pixels); }
#endif
};
