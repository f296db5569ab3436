// Parts headers that are compiled ahead (headers.h) into what programs read and what they link.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokens.h"

namespace cpu_device {

struct SplitHeaders {
  std::string declarations;  // the headers, in which functions that are split off have no bodies;
                             // empty: as they were
  std::string definitions;   // the headers, in which the compiler must emit those functions
  int functions = 0;         // how many are marked; 0: none, and `definitions` is empty
};

// Splits off the host's functions: those that use what no kernel can, such as strings, files and CUDA's
// host functions. What they do takes far longer than a call, so a program does not gain from their text,
// and the compiler does not have to read, instantiate and translate them again for each program.
// `headers` is preprocessed and rewritten C++. A function keeps its body where others
// need it (templates, constexpr, deduced types), where it is more than its name (constructors,
// operators, virtual functions), and where a second copy of what it uses could be told from the
// first: whatever leads to a static function or variable of a header.
//
// Precompiled headers do not hold the templates that their inline functions use: g++ instantiates those
// again for each program. Most of them belong to functions of the standard library that nearly every
// program includes and hardly one uses, half of the time that it takes to compile an empty program. So
// conversions between strings and numbers go with those that are split off, and the special functions of
// <cmath>, such as std::betaf, become templates themselves, of no parameter that matters.
SplitHeaders split_host_functions(std::string_view headers);

// The first tokens of functions in headers that handle text and files. They are never worth optimizing for
// speed, and the compiler is faster if it is told so.
std::vector<uint32_t> text_functions(const Tokens& tokens);

}  // namespace cpu_device
