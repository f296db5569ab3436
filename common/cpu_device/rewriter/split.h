// Parts headers that are compiled ahead (headers.h) into what programs read and what they link.
#pragma once

#include <string>
#include <string_view>

namespace cpu_device {

struct SplitHeaders {
  std::string declarations;  // the headers, in which functions that are split off have no bodies
  std::string definitions;   // the headers, in which the compiler must emit those functions
  int functions = 0;         // how many; 0: none, and the texts are empty
};

// Splits off functions that are marked [[gnu::cold]]: they run once or never, so nobody misses them
// in a program's own text, and the compiler need not read, instantiate and translate them again for
// each program. `headers` is preprocessed and rewritten C++. A function keeps its body where others
// need it (templates, constexpr, deduced types), where it is more than its name (constructors,
// operators, virtual functions), and where a second copy of what it uses could be told from the
// first: whatever leads to a static function or variable of a header.
SplitHeaders split_cold_functions(std::string_view headers);

}  // namespace cpu_device
