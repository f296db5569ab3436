// Finds the headers at the beginning of rewritten text, which nvcc has compiled ahead.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cpu_device {

// text[begin, end): whole lines, and whole declarations in what people write.
struct Headers {
  size_t begin, end;
  uint64_t hash;  // of that text and of the salt
};

// `text` is what `g++ -E` wrote for one source file, rewritten. Longest first: what the source
// includes before its first line of its own, then what the command line includes before it
// (cuda_runtime.h). Neither takes part when it has a #pragma outside the system's headers that a
// precompiled header may forget; text of another compiler has none. `salt`: what else decides what
// comes of them, such as the compiler's options.
std::vector<Headers> leading_headers(std::string_view text, std::string_view salt);

// Of the text and of an earlier value.
uint64_t hash_of(std::string_view text, uint64_t value);

}  // namespace cpu_device
