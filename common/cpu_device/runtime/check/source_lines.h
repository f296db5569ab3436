// Files, lines and functions of the program's accesses and calls, from its debug information.
#pragma once

#include <string>
#include <vector>

#include "state.h"

namespace cpu_device::check {

struct SourcePlace {
  std::string file;
  int line = 0;
  std::string function = {};
  std::vector<SourcePlace> callers = {};  // nearest first, as far as they are known
};
// The user's line: the innermost that is neither ours nor the system's.
SourcePlace source_place(const Program& place);
// Of a call, whose file and line were compiled in: named as the lines of kernels are.
SourcePlace place_of_call(Site site);
std::string source_text(const SourcePlace& place);
bool is_own_header(const Program& p);
// Where a place stands, for explanations that keep only a pointer to the file's name.
Site lasting_site(const Program& p);
// Of an access that is just being made: the callers of functions that were not inlined; where the user
// called what a header of the system does.
void add_callers(SourcePlace* at, const Program& p);
SourcePlace users_place(const Program& p);
// The name as the compiler was given it: relative to the folder where it ran, if that is this one.
std::string as_compiled(const std::string& file);
std::string in_words(Site site);  // "x.cu:20"

}  // namespace cpu_device::check
