// What a source file begins with, known from an earlier compilation: most of what the preprocessor reads and
// writes is in headers, and the same each time.
//
// A beginning is all up to the last #include that stands before the first line of code. Of one that was
// compiled ahead (headers.h), nvcc keeps three files next to it: its macros, its text as far as it is the
// program's own, and the files it was made of. As long as none of those has changed, only what follows in the
// source is preprocessed, with those macros, and rewritten, after that text.
// What the command line includes (-include) is a beginning of its own, before the first line of any source: builds
// of many programs name the headers that most of them have in common. Its macros include those with #pragma once, so that
// the preprocessor knows that it has read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpu_device {

// `source`: a file as people write it. Null if it has no beginning that can be known: what follows includes
// more, or asks for what only a whole file has, such as __COUNTER__.
struct Beginning {
  size_t end = 0;     // what follows begins here, with a line
  unsigned line = 0;  // of this number; 0: there is none
};
Beginning beginning_of(std::string_view source);

// Names it: `text`: of the beginning, `salt`: what else decides what comes of it.
std::string name_of_beginning(std::string_view text, std::string_view salt);

struct KnownBeginning {
  std::string macros;  // a header that defines them, as they are at its end
  std::string own;     // preprocessed text: line markers, and what is in files of the program
  std::string files;   // see is_unchanged()
  std::string depend;  // in lines for make: the files; empty if it cannot name them
};
// `text`: what `g++ -E -dD` has written for the whole source; `last_line`: of the source, where it goes on after
// the last header that was compiled ahead; `folders`: where headers are looked for before those of the system.
// Empty if other headers were compiled ahead than the beginning has, or it is not understood.
// {0, 1} is the beginning of what only the command line includes.
KnownBeginning learn_beginning(std::string_view text, Beginning beginning, unsigned last_line,
                               const std::vector<std::string>& folders);
// Of the line marker with which the text begins; 0: there is none.
unsigned line_of_marker(std::string_view text);
// Whether all files are as they were, and none has appeared that would be taken in place of one.
bool is_unchanged(std::string_view files);

// `own` and what follows, which is preprocessed text whose first marker with `line` names the source.
std::string join_beginning(std::string_view own, std::string_view following, unsigned line);
// The same for what the command line includes, known from another source.
std::string join_command_line(std::string_view own, std::string_view following);
// In the rewritten text, a directive to read `precompiled` takes the place of the beginning. Empty if it is
// not found.
std::string replace_beginning(std::string_view rewritten, unsigned line, std::string_view precompiled);

}  // namespace cpu_device
