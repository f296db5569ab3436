// Pictures in memory become PNG files, through libpng. Pixels are RGBA, 4 bytes each, and the first
// row is the bottom one, as in OpenGL; files start at the top, so rows are turned around here.
#pragma once

#if !__has_include(<png.h>)
#error "pictures are written with libpng: install libpng-dev (Debian, Ubuntu) or libpng-devel"
#endif

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include <string>
#include <vector>

#include "../program/options.h"
#include "../program/write_file.h"

namespace course {

// Ends the program with exit code 2 and one line if libpng does not take a picture of this size:
// called before it is computed.
inline void require_png_size(int width, int height) {
  if (4.0 * width * height < 4294967296.0 && width <= 1000000 && height <= 1000000) return;
  bad_usage("a PNG file holds less than 2^30 pixels here, and " + std::to_string(width) + " x " +
            std::to_string(height) + " are more; take a smaller size");
}

// The picture as a PNG file in memory. `rgba` holds width * height * 4 bytes, bottom row first.
inline std::vector<unsigned char> encode_png(const unsigned char* rgba, int width, int height) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGBA;
  const png_int_32 bottom_first = -4 * width;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<unsigned char> png(bytes);
  if (!png_image_write_to_memory(&image, png.data(), &bytes, 0, rgba, bottom_first, nullptr))
    bad_usage(std::string("the picture cannot be encoded: ") + image.message);
  png.resize(bytes);
  return png;
}

// Writes the picture to a PNG file, see write_file() for what happens if that is impossible.
inline void save_png(const std::string& path, const unsigned char* rgba, int width, int height) {
  const std::vector<unsigned char> png = encode_png(rgba, width, height);
  write_file(path, png.data(), png.size());
}

// Writes a picture to the file that --save names, else to PROGRAM.png in the current folder, and
// says so. Pixels as for save_png().
inline void save_picture(const unsigned char* rgba, int width, int height) {
  std::string path = picture_request().save;
  if (path.empty()) path = std::string(program_invocation_short_name) + ".png";
  save_png(path, rgba, width, height);
  printf("saved %s (%d x %d)\n", path.c_str(), width, height);
}

}  // namespace course
