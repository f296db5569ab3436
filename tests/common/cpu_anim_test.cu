// common/pictures/animation.h and common/cpu_anim.h: what ends up in the files, and the book's interface.

#include <doctest/doctest.h>
#include <webp/decode.h>
#include <webp/mux.h>

#include <cmath>
#include <string>
#include <vector>

#include "../../common/pictures/animation.h"
#include "../../common/cpu_anim.h"
#include "../../common/program/watchdog.h"
#include "../harness/run_program.h"

namespace {

struct Frame {
  int duration = 0;
  std::vector<unsigned char> rgba;  // top row first
};

struct Animation {
  int width = 0, height = 0, loops = -1;
  std::vector<Frame> frames;
};

// Reads an animated WebP file in which every frame is a whole picture.
Animation read_animation(const std::string& path) {
  const std::string bytes = course::read_file(path);
  const WebPData data{reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  WebPMux* mux = WebPMuxCreate(&data, 0);
  REQUIRE(mux != nullptr);
  Animation animation;
  WebPMuxAnimParams parameters;
  REQUIRE(WebPMuxGetCanvasSize(mux, &animation.width, &animation.height) == WEBP_MUX_OK);
  REQUIRE(WebPMuxGetAnimationParams(mux, &parameters) == WEBP_MUX_OK);
  animation.loops = parameters.loop_count;
  WebPMuxFrameInfo info;
  for (uint32_t i = 1; WebPMuxGetFrame(mux, i, &info) == WEBP_MUX_OK; i++) {
    int width = 0, height = 0;
    uint8_t* rgba = WebPDecodeRGBA(info.bitstream.bytes, info.bitstream.size, &width, &height);
    REQUIRE(rgba != nullptr);
    CHECK(width == animation.width);
    CHECK(height == animation.height);
    animation.frames.push_back({info.duration, {rgba, rgba + 4 * size_t(width) * height}});
    WebPFree(rgba);
    WebPDataClear(&info.bitstream);
  }
  WebPMuxDelete(mux);
  return animation;
}

// A smooth picture that is different in every frame; the bottom row first, alpha 0.
std::vector<unsigned char> picture(int width, int height, int tick) {
  std::vector<unsigned char> rgba(4 * size_t(width) * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      unsigned char* pixel = &rgba[4 * (x + size_t(y) * width)];
      pixel[0] = static_cast<unsigned char>(255 * x / width);
      pixel[1] = static_cast<unsigned char>(255 * y / height);
      pixel[2] = static_cast<unsigned char>(20 * tick);
    }
  return rgba;
}

double mean_difference(const std::vector<unsigned char>& top_first,
                       const std::vector<unsigned char>& bottom_first, int width, int height) {
  double sum = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < 3; c++)
        sum += std::abs(top_first[4 * (x + size_t(y) * width) + c] -
                        bottom_first[4 * (x + size_t(height - 1 - y) * width) + c]);
  return sum / (3.0 * width * height);
}

// Runs `work` in a child process whose program would be called `cpu_anim_test`, without a display.
int exit_code_of(const std::function<void()>& work) {
  const course::Attempt attempt = course::attempt(
      [&] {
        unsetenv("DISPLAY");
        work();
      },
      60);
  CHECK_FALSE(attempt.hung);
  CHECK(attempt.signal == 0);
  return attempt.exit_code;
}

}  // namespace

TEST_CASE("a WebP file holds the frames, in their order, upright and opaque") {
  course::TemporaryFolder folder;
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 1}, {17, 33}, {100, 60}}) {
    course::WebPAnimation writer(width, height);
    for (int tick = 1; tick <= 5; tick++) writer.add(picture(width, height, tick).data());
    writer.write(folder.file("a.webp"));
    const Animation animation = read_animation(folder.file("a.webp"));
    CHECK(animation.width == width);
    CHECK(animation.height == height);
    CHECK(animation.loops == 0);  // forever
    REQUIRE(animation.frames.size() == 5);
    for (int tick = 1; tick <= 5; tick++) {
      const Frame& frame = animation.frames[tick - 1];
      CHECK(frame.duration == course::kFrameDuration);
      if (width > 2)  // colors are stored for every other pixel
        CHECK(mean_difference(frame.rgba, picture(width, height, tick), width, height) < 2);
      for (size_t alpha = 3; alpha < frame.rgba.size(); alpha += 4)
        REQUIRE(frame.rgba[alpha] == 255);
    }
  }
}

TEST_CASE("slow changes leave no ghosts: every frame stands alone") {
  course::TemporaryFolder folder;
  course::WebPAnimation writer(32, 32);
  for (int tick = 0; tick < 100; tick++) {
    std::vector<unsigned char> gray(4 * 32 * 32, static_cast<unsigned char>(50 + tick));
    writer.add(gray.data());
  }
  writer.write(folder.file("a.webp"));
  const Animation animation = read_animation(folder.file("a.webp"));
  REQUIRE(animation.frames.size() == 100);
  for (int tick = 0; tick < 100; tick++)
    CHECK(std::abs(animation.frames[tick].rgba[0] - (50 + tick)) <= 3);
}

TEST_CASE("a picture that the format does not hold is refused before it is drawn") {
  CHECK(exit_code_of([] { course::WebPAnimation(16384, 1); }) == 2);
  CHECK(exit_code_of([] { course::WebPAnimation(1, 100000); }) == 2);
  course::SharedArray<int> calls(1);
  CHECK(exit_code_of([&] {
          course::save_animation(20000, 1, [&](int) {
            calls[0]++;
            return nullptr;
          });
        }) == 2);
  CHECK(calls[0] == 0);
}

TEST_CASE("a long animation says so after its second frame, a short one does not") {
  static const unsigned char pixel[4] = {};
  const auto said = [](int frames) {
    return course::messages_of([frames] {
      exit_code_of([frames] {
        course::picture_request().frames = frames;
        course::picture_request().save = "/dev/null";
        course::save_animation(1, 1, [](int tick) {
          if (tick == 3) exit(0);
          usleep(20000);
          return pixel;
        });
      });
    });
  };
  CHECK_MESSAGE(course::contains(said(100000), ": this will take about "), said(100000));
  CHECK(said(3) == "");
}

TEST_CASE("the bar: how far, and how long still") {
  const course::Progress progress(200, false);
  CHECK(progress.line(0, 0) == "[" + std::string(40, ' ') + "] 0 of 200, 0 s left");
  CHECK(progress.line(50, 10) ==
        "[" + std::string(10, '#') + std::string(30, ' ') + "] 50 of 200, 30 s left");
  CHECK(progress.line(200, 40) == "[" + std::string(40, '#') + "] 200 of 200, 0 s left");
  CHECK(course::Progress(0, false).line(0, 0) == "[" + std::string(40, '#') + "] 0 of 0, 0 s left");
}

namespace {

// The book's way: a callback whose first parameter is the user's own type, passed with a cast.
struct DataBlock {
  CPUAnimBitmap* bitmap;
  int calls, last_tick, exits;
};

void generate(DataBlock* data, int ticks) {
  data->calls++;
  data->last_tick = ticks;
  const std::vector<unsigned char> rgba = picture(data->bitmap->width, data->bitmap->height, ticks);
  std::copy(rgba.begin(), rgba.end(), data->bitmap->get_ptr());
}

void clean_up(DataBlock* data) { data->exits++; }

// anim_and_exit() in a child, in `folder`, asked for a file and a number of frames.
DataBlock animate(const course::TemporaryFolder& folder, const std::string& save, int frames,
                  int default_frames = 0) {
  course::SharedArray<DataBlock> data(1);
  CHECK(exit_code_of([&] {
          if (chdir(folder.path().c_str()) != 0) _exit(99);
          course::picture_request() = {};
          course::picture_request().save = save;
          course::picture_request().frames = frames;
          CPUAnimBitmap bitmap(20, 10, data.data());
          data[0].bitmap = &bitmap;
          if (default_frames > 0) bitmap.default_frames = default_frames;
          bitmap.anim_and_exit((void (*)(void*, int))generate, (void (*)(void*))clean_up);
          _exit(98);  // it does not return
        }) == 0);
  return data[0];
}

}  // namespace

TEST_CASE("CPUAnimBitmap: the book's interface") {
  int data = 0;
  CPUAnimBitmap bitmap(3, 2, &data);
  CHECK(bitmap.width == 3);
  CHECK(bitmap.height == 2);
  CHECK(bitmap.image_size() == 24);
  CHECK(bitmap.get_ptr() == bitmap.pixels);
  CHECK(bitmap.dataBlock == &data);
  bitmap.click_drag([](void*, int, int, int, int) {});
  CHECK(static_cast<bool>(bitmap.clickDrag));
  for (int i = 0; i < 24; i++) CHECK(bitmap.pixels[i] == 0);
}

TEST_CASE("CPUAnimBitmap: without a display it saves, calls back, and ends with 0") {
  course::TemporaryFolder folder;
  const DataBlock typed = animate(folder, "", 0);  // a listing from the book has no options
  CHECK(typed.calls == course::kDefaultFrames);
  CHECK(typed.last_tick == course::kDefaultFrames);
  CHECK(typed.exits == 1);
  CHECK(folder.names() == std::vector<std::string>{"cpu_anim_test.webp"});
  CHECK(read_animation(folder.file("cpu_anim_test.webp")).frames.size() == course::kDefaultFrames);

  CHECK(animate(folder, "", 0, 5).calls == 5);
  for (const int frames : {1, 2, 3, 6}) {
    CHECK(animate(folder, "asked.webp", frames, 5).calls == frames);
    if (frames > 1)  // one is a still picture
      CHECK(read_animation(folder.file("asked.webp")).frames.size() == static_cast<size_t>(frames));
    CHECK(animate(folder, "asked.png", frames, 5).calls == frames);
  }
}

TEST_CASE("CPUAnimBitmap: the last frame as PNG, opaque") {
  course::TemporaryFolder folder;
  CHECK(animate(folder, "last.png", 4).calls == 4);
  const std::string png = course::read_file(folder.file("last.png"));
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, png.data(), png.size()));
  image.format = PNG_FORMAT_RGBA;
  REQUIRE(image.width == 20);
  REQUIRE(image.height == 10);
  std::vector<unsigned char> rgba(PNG_IMAGE_SIZE(image)), expected = picture(20, 10, 4);
  REQUIRE(png_image_finish_read(&image, nullptr, rgba.data(), -80, nullptr));
  for (size_t alpha = 3; alpha < expected.size(); alpha += 4) expected[alpha] = 255;
  CHECK(rgba == expected);
}

TEST_CASE("CPUAnimBitmap: a size that makes no picture") {
  CHECK(exit_code_of([] { CPUAnimBitmap(0, 5); }) == 2);
  CHECK(exit_code_of([] { CPUAnimBitmap(5, -1); }) == 2);
}

TEST_CASE("CPUAnimBitmap: no callbacks, no frames of anybody's") {
  course::TemporaryFolder folder;
  CHECK(exit_code_of([&] {
          if (chdir(folder.path().c_str()) != 0) _exit(99);
          course::picture_request() = {};
          CPUAnimBitmap bitmap(4, 4);
          bitmap.anim_and_exit(nullptr, nullptr);
        }) == 0);
  CHECK(folder.names() == std::vector<std::string>{"cpu_anim_test.webp"});
}

TEST_CASE("frames too large for their file are refused before they are drawn") {
  const auto made = [](const std::string& file, int width, int height) {
    return exit_code_of([&] {
      course::picture_request().save = file;
      CPUAnimBitmap bitmap(width, height);
    });
  };
  CHECK(made("x.webp", WEBP_MAX_DIMENSION, 1) == 0);
  CHECK(made("x.webp", WEBP_MAX_DIMENSION + 1, 1) == 2);
  CHECK(made("x.png", WEBP_MAX_DIMENSION + 1, 1) == 0);
  CHECK(made("x.png", 32768, 32768) == 2);
}
