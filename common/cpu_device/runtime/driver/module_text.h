// A module as text: a first line that names it, then the bytes of a shared object in base 64. nvcc
// writes it.
#pragma once

#include <string>
#include <string_view>

namespace cpu_device {

// False if this is no such text. It ends at a zero.
inline bool from_module_text(const char* text, std::string* bytes) {
  constexpr std::string_view kFirstLine = "// A module of the CPU device\n";
  for (const char expected : kFirstLine)
    if (*text++ != expected) return false;
  unsigned int group = 0, bits = 0;
  for (; *text != '\0'; text++) {
    const char c = *text;
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) continue;  // the end of a line, or what fills up the last group
    group = group << 6 | static_cast<unsigned int>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    *bytes += static_cast<char>(group >> bits & 0xff);
  }
  return true;
}

}  // namespace cpu_device
