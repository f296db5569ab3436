// Where in the user's source a call stands: filled in by the compiler when it is a default argument.
#pragma once

namespace cpu_device {

struct Site {
  const char* file;
  int line;
  // Of an atomic: for whom it is one (1 block, 2 device, 3 system).
  unsigned char scope = 2;
  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace cpu_device
