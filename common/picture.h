// Pictures in memory become PNG files, through libpng. Pixels are RGBA, 4 bytes each, and the first
// row is the bottom one, as in OpenGL; files start at the top, so rows are turned around here.
#pragma once

#if !__has_include(<png.h>)
#error "pictures are written with libpng: install libpng-dev (Debian, Ubuntu) or libpng-devel"
#endif

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "options.h"

namespace course {

// Writes a whole file or nothing: under a temporary name first, so that a full disk leaves no half
// picture behind, and with Ctrl-C held back until it is done. Ends the program with exit code 2 and
// one line if it cannot. /dev/stdout and the like are written directly.
inline void write_file(const std::string& path, const void* data, size_t bytes) {
  struct stat status;
  const bool special = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  const std::string target = special ? path : path + ".part" + std::to_string(getpid());
  sigset_t held_back, before;
  sigfillset(&held_back);
  pthread_sigmask(SIG_BLOCK, &held_back, &before);
  const int file = open(target.c_str(), special ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL, 0666);
  bool written = file >= 0;
  for (size_t done = 0; written && done < bytes;) {
    const ssize_t part = write(file, static_cast<const char*>(data) + done, bytes - done);
    written = part > 0;
    if (written) done += static_cast<size_t>(part);
  }
  int problem = errno;
  if (file >= 0 && close(file) != 0 && written) {  // some file systems report a full disk here
    written = false;
    problem = errno;
  }
  if (written && !special && rename(target.c_str(), path.c_str()) != 0) {
    written = false;
    problem = errno;
  }
  if (!written && !special && file >= 0) unlink(target.c_str());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!written) bad_usage("cannot write '" + path + "': " + strerror(problem));
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

}  // namespace course
