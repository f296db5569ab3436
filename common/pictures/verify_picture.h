// Is the picture right? If not, the picture and its differences are saved, so that the mistake can
// be seen. The first wrong pixel is reported with the thread that has drawn it.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "../program/compare.h"
#include "../program/options.h"
#include "picture.h"

namespace course {

// What is wrong at each pixel, opaque and on black: the distance of each channel, alpha's as white,
// so stretched that the largest is 255.
inline std::vector<unsigned char> difference_picture(const unsigned char* result,
                                                     const unsigned char* expected, int width,
                                                     int height) {
  const std::size_t pixels = static_cast<std::size_t>(width) * height;
  const int largest = std::max(1, compare_pictures(result, expected, pixels).largest);
  std::vector<unsigned char> picture(4 * pixels, 255);
  for (std::size_t pixel = 0; pixel < pixels; pixel++) {
    const auto distance = [&](int channel) {
      return std::abs(int(result[4 * pixel + channel]) - int(expected[4 * pixel + channel]));
    };
    for (int channel = 0; channel < 3; channel++)
      picture[4 * pixel + channel] =
          static_cast<unsigned char>(255 * std::max(distance(channel), distance(3)) / largest);
  }
  return picture;
}

// Where the picture would have been saved, without its ending: by --save, or by the program's name.
inline std::string picture_name() {
  const std::string& path = picture_request().save;
  if (path.empty()) return program_invocation_short_name;
  return path.substr(0, path.rfind('.'));
}

// Saves NAME_wrong.png and NAME_difference.png, opaque. A wrong picture remains wrong if there is
// no place for it, so nothing but a line says that.
inline void save_wrong_picture(const unsigned char* result, const unsigned char* expected,
                               int width, int height) {
  const std::string name = picture_name(), wrong = name + "_wrong.png",
                    difference = name + "_difference.png";
  const std::size_t slash = name.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : name.substr(0, slash + 1);
  const std::size_t bytes = 4 * static_cast<std::size_t>(width) * height;
  if (bytes >= std::size_t(1) << 31 || access(folder.c_str(), W_OK | X_OK) != 0) {
    fprintf(stderr, "(it is too large, or %s is not writable, or else it would be in %s)\n",
            folder.c_str(), wrong.c_str());
    return;
  }
  std::vector<unsigned char> opaque(result, result + bytes);
  for (std::size_t alpha = 3; alpha < bytes; alpha += 4) opaque[alpha] = 255;
  save_png(wrong, opaque.data(), width, height);
  save_png(difference, difference_picture(result, expected, width, height).data(), width, height);
  printf("saved %s and %s\n", wrong.c_str(), difference.c_str());
}

// "pixel (x, y) = (17, 3), counted from the lower left, drawn by block (1,0), thread (1,3)" for a
// grid of such blocks with a thread per pixel; block 0: unknown.
inline std::string pixel_in_words(std::size_t pixel, int width, dim3 block) {
  const unsigned x = static_cast<unsigned>(pixel % width);
  const unsigned y = static_cast<unsigned>(pixel / width);
  const auto pair = [](unsigned a, unsigned b, const char* comma) {
    return "(" + std::to_string(a) + comma + std::to_string(b) + ")";
  };
  std::string text = "pixel (x, y) = " + pair(x, y, ", ") + ", counted from the lower left";
  if (block.x > 0 && block.y > 0)
    text += ", drawn by block " + pair(x / block.x, y / block.y, ",") + ", thread " +
            pair(x % block.x, y % block.y, ",");
  return text;
}

// Whether no channel of two pictures (RGBA, bottom row first) differs by more than `largest`. If
// one does: says which is the first, and saves the picture and what is wrong about it. `block` is
// that of the kernel, one thread per pixel; 0 where there is none.
inline bool picture_is_right(const unsigned char* result, const unsigned char* expected, int width,
                             int height, int largest, dim3 block) {
  const std::size_t channels = 4 * static_cast<std::size_t>(width) * height;
  std::size_t first = 0;
  while (first < channels && std::abs(int(result[first]) - int(expected[first])) <= largest)
    first++;
  if (first == channels) return true;
  const std::size_t pixel = first / 4;
  const auto color = [pixel](const unsigned char* rgba) {
    std::string text;
    for (int channel = 0; channel < 4; channel++)
      text += (channel == 0 ? "" : " ") + std::to_string(rgba[4 * pixel + channel]);
    return text;
  };
  fflush(stdout);
  fprintf(stderr,
          "the picture is wrong: its channels may differ by %d at most; the first wrong one is %s: "
          "red, green, blue, alpha are %s instead of %s\n",
          largest, pixel_in_words(pixel, width, block).c_str(), color(result).c_str(),
          color(expected).c_str());
  save_wrong_picture(result, expected, width, height);
  return false;
}

// The same, and says how far the picture is from the CPU's. Functions such as cosf() round
// differently on different devices, and so does the last bit of a gray: 2 allow for that.
inline bool verify_picture(const unsigned char* result, const unsigned char* expected, int width,
                           int height, int largest = 2, dim3 block = dim3(16, 16)) {
  const PictureDifference difference =
      compare_pictures(result, expected, static_cast<std::size_t>(width) * height);
  printf("%zu of %s %s from the CPU's (%.3g %%), by %d of 255 at most\n",
         difference.differing_pixels, count_of(difference.pixels, "pixel").c_str(),
         difference.pixels == 1 ? "differs" : "differ", 100 * difference.share(),
         difference.largest);
  return picture_is_right(result, expected, width, height, largest, block);
}

}  // namespace course
