// GPUAnimBitmap: an animation whose frames are drawn by kernels into a buffer that OpenGL draws
// from, so that pixels never leave the GPU. The interface is the book's.
//
// With a display it opens a window (Esc, q or the window's close button leaves). Where CUDA and the
// window's OpenGL cannot share a buffer, it says why, once, and copies each frame through the host.
// Without a display, or with --save, it writes an animated WebP file, or the last frame as a PNG.
#pragma once

#include <stdio.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pictures/animation.h"
#include "pictures/gl_sharing.h"
#include "handle_error.h"
#include "program/options.h"
#include "program/timing.h"
#include "pictures/window.h"

namespace course {

// The options of an animation in addition to --save and --frames.
struct SharingRequest {
  bool times = false;         // print what each frame's time goes into
  bool through_host = false;  // do not share, even if it is possible
};

inline SharingRequest& sharing_request() {
  static SharingRequest request;
  return request;
}

// The options of programs with a GPUAnimBitmap: --save, --frames, --times, --through-host.
inline void gpu_animation(Options& options) {
  options.animation();
  options.flag("times", &sharing_request().times,
               "print what each frame's time goes into, and the medians");
  options.flag("through-host", &sharing_request().through_host,
               "copy each frame to the host and back instead of sharing the buffer");
}

// What the time of a frame goes into, in milliseconds.
struct FrameTimes {
  double share = 0;    // the buffer from OpenGL to CUDA and back
  double kernels = 0;  // the callback's work on the device
  double copy = 0;     // to the host, and back to OpenGL
  double draw = 0;     // by OpenGL, until it is done
  double whole = 0;    // from the start of the frame to the start of the next

  // One line, without what does not happen: either the buffer is shared or it is copied.
  void print(const std::string& what) const {
    printf("%s: kernels %.3f ms", what.c_str(), kernels);
    if (share > 0) printf(", map and unmap %.3f ms", share);
    if (copy > 0) printf(", copies %.3f ms", copy);
    if (draw > 0) printf(", draw %.3f ms", draw);
    printf(", together %.3f ms\n", whole);
  }
};

// The times of the last frames.
class FrameLog {
 public:
  void add(int ticks, const FrameTimes& times) {
    times.print("frame " + std::to_string(ticks));
    if (last_.size() < kKept)
      last_.push_back(times);
    else
      last_[next_++ % kKept] = times;
  }

  void print_medians() const {
    if (last_.empty()) return;
    using Part = double FrameTimes::*;
    FrameTimes medians;
    for (const Part part : {&FrameTimes::share, &FrameTimes::kernels, &FrameTimes::copy,
                            &FrameTimes::draw, &FrameTimes::whole}) {
      std::vector<double> values;
      for (const FrameTimes& times : last_) values.push_back(times.*part);
      medians.*part = median(values);
    }
    medians.print("medians of " + count_of(last_.size(), "frame"));
  }

 private:
  static constexpr size_t kKept = 1000;
  std::vector<FrameTimes> last_;
  size_t next_ = 0;
};

}  // namespace course

struct GPUAnimBitmap {
  GLuint bufferObj = 0;                      // OpenGL's name of the buffer; 0: it has none
  cudaGraphicsResource* resource = nullptr;  // CUDA's name of it; null: it is not shared
  int width, height;                         // in pixels
  void* dataBlock;                           // the user's; handed to every callback
  void (*fAnim)(uchar4*, void*, int) = nullptr;
  void (*animExit)(void*) = nullptr;
  void (*clickDrag)(void*, int, int, int, int) = nullptr;
  void (*dragMotion)(void*, int, int, int, int) = nullptr;
  void (*keyPress)(void*, unsigned char) = nullptr;
  void (*wheelTurn)(void*, int) = nullptr;
  int dragStartX = 0, dragStartY = 0;
  int default_frames = course::kDefaultFrames;  // of a file, without --frames

  // Opens the window, if there is to be one, makes the CUDA device that draws it the current one,
  // and registers the buffer. Width and height must be positive.
  GPUAnimBitmap(int w, int h, void* data = nullptr) : width(w), height(h), dataBlock(data) {
    if (w <= 0 || h <= 0)
      course::bad_usage("a picture needs at least 1 x 1 pixels, not " + std::to_string(w) + " x " +
                        std::to_string(h));
    if (course::picture_request().save.empty() && course::has_display())
      has_window_ = course::try_open_window(w, h);
    else
      course::require_animation_size(w, h);
    if (has_window_) {
      const std::string problem = share();
      if (!problem.empty())
        fprintf(stderr, "%s: each frame is copied through the host: %s\n",
                program_invocation_short_name, problem.c_str());
    }
    if (resource == nullptr) {
      HANDLE_ERROR(cudaMalloc(&dev_pixels_, image_size()));
      HANDLE_ERROR(cudaMallocHost(&host_pixels_, image_size()));
      HANDLE_ERROR(cudaMemset(dev_pixels_, 0, image_size()));
    }
    HANDLE_ERROR(cudaEventCreate(&start_));
    HANDLE_ERROR(cudaEventCreate(&stop_));
  }
  ~GPUAnimBitmap() { free_resources(); }
  GPUAnimBitmap(const GPUAnimBitmap&) = delete;
  GPUAnimBitmap& operator=(const GPUAnimBitmap&) = delete;

  long image_size() const { return 4L * width * height; }  // bytes

  // Calls f(dataBlock, startX, startY, endX, endY) whenever the left mouse button is released. The
  // start is where it was pressed. In pixels of the picture, from its top left corner.
  void click_drag(void (*f)(void*, int, int, int, int)) { clickDrag = f; }

  // The same while the mouse moves with the button pressed, and when it is pressed: the end is
  // where it is now. Not in the book.
  void drag_motion(void (*f)(void*, int, int, int, int)) { dragMotion = f; }

  // Calls f(dataBlock, key) for each key but Esc and q, which leave. Not in the book.
  void key_press(void (*f)(void*, unsigned char)) { keyPress = f; }

  // Calls f(dataBlock, direction) when the wheel of the mouse turns: 1 is away from the user, -1
  // towards the user. Not in the book.
  void wheel_turn(void (*f)(void*, int)) { wheelTurn = f; }

  // Whether there is a window, so that the time of a frame is that of the clock on the wall.
  bool has_window() const { return has_window_; }

  // Calls f(pixels, dataBlock, ticks), with ticks = 1, 2, ..., for each frame: it draws into
  // `pixels`, device memory of width * height pixels, bottom row first, that is valid until f
  // returns and may be elsewhere the next time. Goes on until the user leaves or --frames is
  // reached; then calls e(dataBlock), if it is not NULL, and ends the program with exit code 0.
  void anim_and_exit(void (*f)(uchar4*, void*, int), void (*e)(void*)) {
    fAnim = f;
    animExit = e;
    if (has_window_) {
      *get_bitmap_ptr() = this;
      glutKeyboardFunc(key_func);
      if (wheelTurn != nullptr) glutMouseWheelFunc(wheel_func);
      glutMouseFunc(mouse_func);
      glutMotionFunc(motion_func);
      glutDisplayFunc(Draw);
      glutCloseFunc(close_func);
      course::animate(idle_func);
      glutMainLoop();  // returns when the window is closed
    } else {
      course::save_animation(
          width, height,
          [this](int ticks) {
            course::Stopwatch watch;
            make_frame(fAnim, dataBlock, ticks);
            times_.whole = watch.elapsed_ms();
            if (course::sharing_request().times) log_.add(ticks, times_);
            return reinterpret_cast<const unsigned char*>(host_pixels_);
          },
          default_frames);
    }
    log_.print_medians();
    free_resources();
    if (animExit != nullptr) animExit(dataBlock);
    exit(0);
  }

  // One frame of f as OpenGL finds it in its buffer (or as it would be copied there): RGBA, bottom
  // row first. For checking it.
  std::vector<unsigned char> read_frame(void (*f)(uchar4*, void*, int), void* data, int ticks) {
    make_frame(f, data, ticks);
    std::vector<unsigned char> rgba(image_size());
    if (resource != nullptr)
      glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, image_size(), rgba.data());
    else
      std::copy_n(reinterpret_cast<const unsigned char*>(host_pixels_), rgba.size(), rgba.data());
    return rgba;
  }

  // Gives the buffer back to CUDA and OpenGL. Called when the window closes.
  void free_resources() {
    if (resource != nullptr) HANDLE_ERROR(cudaGraphicsUnregisterResource(resource));
    if (bufferObj != 0) {
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
      glDeleteBuffers(1, &bufferObj);
    }
    if (dev_pixels_ != nullptr) HANDLE_ERROR(cudaFree(dev_pixels_));
    if (host_pixels_ != nullptr) HANDLE_ERROR(cudaFreeHost(host_pixels_));
    if (start_ != nullptr) HANDLE_ERROR(cudaEventDestroy(start_));
    if (stop_ != nullptr) HANDLE_ERROR(cudaEventDestroy(stop_));
    resource = nullptr;
    bufferObj = 0;
    dev_pixels_ = host_pixels_ = nullptr;
    start_ = stop_ = nullptr;
  }

  // freeglut's callbacks carry no data, so the animation on show is kept here.
  static GPUAnimBitmap** get_bitmap_ptr() {
    static GPUAnimBitmap* bitmap = nullptr;
    return &bitmap;
  }

  // Makes the next frame: called whenever freeglut has nothing else to do.
  static void idle_func() {
    GPUAnimBitmap* bitmap = *get_bitmap_ptr();
    if (bitmap->drawn_ != bitmap->ticks_) return glutPostRedisplay();
    bitmap->end_frame();
    const int frames = course::picture_request().frames;
    if (frames > 0 && bitmap->ticks_ == frames) return glutLeaveMainLoop();
    bitmap->ticks_++;
    bitmap->make_frame(bitmap->fAnim, bitmap->dataBlock, bitmap->ticks_);
    glutPostRedisplay();
  }

  // Draws the frame from the buffer.
  static void Draw() {
    GPUAnimBitmap* bitmap = *get_bitmap_ptr();
    course::Stopwatch watch;
    course::draw_pixels(bitmap->width, bitmap->height,
                        bitmap->bufferObj != 0 ? nullptr : bitmap->host_pixels_);
    if (course::sharing_request().times) glFinish();
    bitmap->times_.draw = watch.elapsed_ms();
    bitmap->drawn_ = bitmap->ticks_;
  }

 private:
  // Creates the buffer and makes it known to CUDA. Returns why that is not possible, or "".
  std::string share() {
    std::string problem = course::start_gl_buffers();
    if (!problem.empty()) return problem;
    bufferObj = course::create_gl_buffer(image_size());
    if (bufferObj == 0) return "OpenGL has no memory for the buffer";
    if (course::sharing_request().through_host) return "because of --through-host";
    problem = course::choose_gl_device();
    if (!problem.empty()) return problem;
    const cudaError_t error =
        cudaGraphicsGLRegisterBuffer(&resource, bufferObj, cudaGraphicsRegisterFlagsNone);
    if (error == cudaSuccess) return "";
    cudaGetLastError();  // forgotten: the program goes on without sharing
    resource = nullptr;
    return std::string("cudaGraphicsGLRegisterBuffer failed: ") + cudaGetErrorString(error) + " (" +
           cudaGetErrorName(error) + ")";
  }

  // Calls f for one frame, and puts the frame where OpenGL draws it from.
  void make_frame(void (*f)(uchar4*, void*, int), void* data, int ticks) {
    const bool timed = course::sharing_request().times;
    const course::Stopwatch watch;
    uchar4* pixels = dev_pixels_;
    if (resource != nullptr) {
      size_t bytes = 0;
      HANDLE_ERROR(cudaGraphicsMapResources(1, &resource));
      HANDLE_ERROR(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&pixels), &bytes,
                                                        resource));
    }
    const double mapped_ms = watch.elapsed_ms();
    if (timed) HANDLE_ERROR(cudaEventRecord(start_));
    if (f != nullptr) f(pixels, data, ticks);
    if (timed) {
      float ms = 0;
      HANDLE_ERROR(cudaEventRecord(stop_));
      HANDLE_ERROR(cudaEventSynchronize(stop_));
      HANDLE_ERROR(cudaEventElapsedTime(&ms, start_, stop_));
      times_.kernels = ms;
    }
    const double computed_ms = watch.elapsed_ms();
    if (resource != nullptr) {
      HANDLE_ERROR(cudaGraphicsUnmapResources(1, &resource));
      times_.share = mapped_ms + watch.elapsed_ms() - computed_ms;
    } else {
      HANDLE_ERROR(cudaMemcpy(host_pixels_, dev_pixels_, image_size(), cudaMemcpyDeviceToHost));
      if (bufferObj != 0) {
        glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, image_size(), host_pixels_);
        if (timed) glFinish();
      }
      times_.copy = watch.elapsed_ms() - computed_ms;
    }
  }

  // The frame has been drawn; a new one begins.
  void end_frame() {
    times_.whole = frame_.elapsed_ms();
    frame_ = course::Stopwatch();
    if (course::sharing_request().times && ticks_ > 0) log_.add(ticks_, times_);
  }

  // The window is about to go, and OpenGL with it.
  static void close_func() { (*get_bitmap_ptr())->free_resources(); }

  static void key_func(unsigned char key, int x, int y) {
    course::leave_on_escape(key, x, y);
    GPUAnimBitmap* bitmap = *get_bitmap_ptr();
    if (bitmap->keyPress != nullptr) bitmap->keyPress(bitmap->dataBlock, key);
  }

  static void wheel_func(int, int direction, int, int) {
    GPUAnimBitmap* bitmap = *get_bitmap_ptr();
    bitmap->wheelTurn(bitmap->dataBlock, direction);
  }

  static void mouse_func(int button, int state, int x, int y) {
    if (button != GLUT_LEFT_BUTTON) return;
    GPUAnimBitmap* bitmap = *get_bitmap_ptr();
    course::window_to_picture(bitmap->width, bitmap->height, &x, &y);
    bitmap->dragging_ = state == GLUT_DOWN;
    if (bitmap->dragging_) {
      bitmap->dragStartX = x;
      bitmap->dragStartY = y;
    }
    const auto callback = bitmap->dragging_ ? bitmap->dragMotion : bitmap->clickDrag;
    if (callback != nullptr)
      callback(bitmap->dataBlock, bitmap->dragStartX, bitmap->dragStartY, x, y);
  }

  static void motion_func(int x, int y) {
    GPUAnimBitmap* bitmap = *get_bitmap_ptr();
    if (!bitmap->dragging_ || bitmap->dragMotion == nullptr) return;
    course::window_to_picture(bitmap->width, bitmap->height, &x, &y);
    bitmap->dragMotion(bitmap->dataBlock, bitmap->dragStartX, bitmap->dragStartY, x, y);
  }

  bool has_window_ = false, dragging_ = false;
  uchar4 *dev_pixels_ = nullptr, *host_pixels_ = nullptr;  // where nothing is shared
  int ticks_ = 0, drawn_ = 0;                              // of the newest frame, and that on show
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  course::Stopwatch frame_;  // since the frame began
  course::FrameTimes times_;
  course::FrameLog log_;
};
