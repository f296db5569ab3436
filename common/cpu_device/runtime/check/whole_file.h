#pragma once

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace cpu_device {

// Writes a whole file or nothing: under a name of this process first. What is no ordinary file, such
// as /dev/null, is written directly: a file in its place would be a loss for all. False, with errno,
// if it cannot be written.
inline bool write_whole_file(const std::string& path, const std::string& text) {
  struct stat status;
  const bool special = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  const std::string target =
      special ? path : path + "." + std::to_string(getpid()) + ".partial";
  FILE* const file = fopen(target.c_str(), "w");
  if (file == nullptr) return false;
  bool good = fwrite(text.data(), 1, text.size(), file) == text.size();
  good = fclose(file) == 0 && good;
  if (special || (good && rename(target.c_str(), path.c_str()) == 0)) return good;
  const int problem = errno;
  unlink(target.c_str());
  errno = problem;
  return false;
}

}  // namespace cpu_device
