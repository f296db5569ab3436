// Animations without a window: frames become an animated WebP file, or the last one a PNG file.
// What CPUAnimBitmap and GPUAnimBitmap share.
#pragma once

#if !__has_include(<webp/mux.h>)
#error "animations are written with libwebp: install libwebp-dev (Debian, Ubuntu) or libwebp-devel"
#endif

#include <stdint.h>
#include <stdio.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <functional>
#include <string>
#include <vector>

#include "../program/long_run.h"
#include "../program/options.h"
#include "../program/progress.h"
#include "picture.h"

namespace course {

constexpr int kDefaultFrames = 44;  // saved without --frames: one period of the book's ripple
constexpr int kFrameDuration = 33;  // milliseconds that a frame of a file is shown

// Collects frames for an animated WebP file that repeats forever. Frames are opaque, as in a
// window: alpha is not looked at. Lossy, at a quality where the eye sees no difference. Each frame
// is stored whole: libwebp's own encoder for animations takes what changed little for unchanged,
// and leaves out slow changes, such as the cooling of a plate.
class WebPAnimation {
 public:
  // Ends the program with exit code 2 and one line if the format has no room for the frames.
  WebPAnimation(int width, int height) : width_(width), height_(height) {
    if (width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION)
      bad_usage("a WebP animation holds at most " + std::to_string(WEBP_MAX_DIMENSION) +
                " pixels per side, not " + std::to_string(width) + " x " + std::to_string(height));
    if (!WebPConfigInit(&config_)) fail("libwebp is of another version than its headers");
    config_.quality = 90;
    config_.method = 2;  // of 0 (fast) to 6 (small)
    config_.thread_level = 1;
    mux_ = WebPMuxNew();
    if (mux_ == nullptr) fail("there is no memory for it");
  }
  ~WebPAnimation() { WebPMuxDelete(mux_); }
  WebPAnimation(const WebPAnimation&) = delete;
  WebPAnimation& operator=(const WebPAnimation&) = delete;

  // Appends a frame: width * height RGBA pixels, bottom row first.
  void add(const unsigned char* rgba) {
    WebPPicture picture;
    WebPMemoryWriter encoded;
    WebPMemoryWriterInit(&encoded);
    if (!WebPPictureInit(&picture)) fail("libwebp is of another version than its headers");
    picture.use_argb = 1;
    picture.width = width_;
    picture.height = height_;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &encoded;
    if (!WebPPictureAlloc(&picture)) fail("there is no memory for it");
    for (int y = 0; y < height_; y++) {
      const unsigned char* from = rgba + 4 * static_cast<size_t>(width_) * (height_ - 1 - y);
      uint32_t* to = picture.argb + static_cast<size_t>(y) * picture.argb_stride;
      for (int x = 0; x < width_; x++)
        to[x] = 0xff000000u | static_cast<uint32_t>(from[4 * x]) << 16 |
                static_cast<uint32_t>(from[4 * x + 1]) << 8 | from[4 * x + 2];
    }
    const bool done = WebPEncode(&config_, &picture) != 0;
    WebPPictureFree(&picture);
    if (!done) fail("error " + std::to_string(picture.error_code) + " of libwebp");
    WebPMuxFrameInfo frame = {};
    frame.bitstream = {encoded.mem, encoded.size};
    frame.duration = kFrameDuration;
    frame.id = WEBP_CHUNK_ANMF;
    frame.dispose_method = WEBP_MUX_DISPOSE_NONE;
    frame.blend_method = WEBP_MUX_NO_BLEND;
    const WebPMuxError error = WebPMuxPushFrame(mux_, &frame, 1);
    WebPMemoryWriterClear(&encoded);
    check(error);
  }

  // Writes the file, see write_file().
  void write(const std::string& path) {
    const WebPMuxAnimParams parameters = {0xff000000u, 0};  // on black; repeat forever
    check(WebPMuxSetAnimationParams(mux_, &parameters));
    WebPData file;
    WebPDataInit(&file);
    check(WebPMuxAssemble(mux_, &file));
    write_file(path, file.bytes, file.size);
    WebPDataClear(&file);
  }

 private:
  void check(WebPMuxError error) const {
    if (error == WEBP_MUX_MEMORY_ERROR) fail("there is no memory for it");
    if (error != WEBP_MUX_OK) fail("error " + std::to_string(error) + " of libwebpmux");
  }
  [[noreturn]] void fail(const std::string& reason) const {
    bad_usage("the animation cannot be encoded: " + reason);
  }

  int width_, height_;
  WebPConfig config_;
  WebPMux* mux_ = nullptr;
};

// The file that --save names, else PROGRAM.webp in the current folder.
inline std::string animation_path() {
  const std::string& save = picture_request().save;
  return save.empty() ? std::string(program_invocation_short_name) + ".webp" : save;
}

// Whether of the frames only the last is kept, as a still picture.
inline bool saves_a_still(const std::string& path) {
  return path.size() > 4 && path.compare(path.size() - 4, 4, ".png") == 0;
}

// Ends the program with exit code 2 and one line if the file that will be saved cannot hold frames
// of this size: called before they are computed.
inline void require_animation_size(int width, int height) {
  if (saves_a_still(animation_path()))
    require_png_size(width, height);
  else
    WebPAnimation(width, height);
}

// Draws as many frames as --frames says (else default_frames) and writes them to the file that
// --save names, else to PROGRAM.webp in the current folder; of a PNG file's frames only the last is
// kept. draw(tick), for tick = 1, 2, ..., returns width * height RGBA pixels, bottom row first.
inline void save_animation(int width, int height,
                           const std::function<const unsigned char*(int)>& draw,
                           int default_frames = kDefaultFrames) {
  const PictureRequest& request = picture_request();
  const std::string path = animation_path();
  const int frames = request.frames > 0 ? request.frames : default_frames;
  const bool still = saves_a_still(path);
  {
    Progress progress(frames);
    Stopwatch watch;
    const auto drawn = [&](int frame) {
      if (frame == 2) announce(watch.elapsed_ms() * 1e-3 * (frames - 2), 0);
      if (frame == 1) watch = Stopwatch();  // the first frame warms up
      progress.update(frame);
    };
    if (still) {
      const unsigned char* rgba = nullptr;
      for (int frame = 1; frame <= frames; frame++) {
        rgba = draw(frame);
        drawn(frame);
      }
      std::vector<unsigned char> opaque(rgba, rgba + 4 * static_cast<size_t>(width) * height);
      for (size_t alpha = 3; alpha < opaque.size(); alpha += 4) opaque[alpha] = 255;
      save_png(path, opaque.data(), width, height);
    } else {
      WebPAnimation animation(width, height);
      for (int frame = 1; frame <= frames; frame++) {
        animation.add(draw(frame));
        drawn(frame);
      }
      animation.write(path);
    }
  }
  if (still)
    printf("saved %s (%d x %d, frame %d)\n", path.c_str(), width, height, frames);
  else
    printf("saved %s (%d x %d, %s)\n", path.c_str(), width, height,
           count_of(frames, "frame").c_str());
}

}  // namespace course
