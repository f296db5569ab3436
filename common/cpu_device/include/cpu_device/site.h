// Where in the user's source a call stands: filled in by the compiler when it is a default argument.
#pragma once

namespace cpu_device {

struct Site {
  const char* file;
  int line;
  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace cpu_device
