// What a lab's harness.cu calls: it reads a case, calls the answer's function, and hands back what
// came. It does not know what is right. Results go to descriptor 3, and what the answer prints does
// not meet them.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "protocol.h"

namespace lab {

constexpr int kResults = 3;

// The next input of the case.
template <typename T>
std::vector<T> get() {
  std::vector<T> data;
  std::string problem;
  if (!read_block(STDIN_FILENO, &data, std::uint64_t(-1), &problem)) {
    std::fprintf(stderr, "harness: the input cannot be read: %s\n", problem.c_str());
    std::exit(1);
  }
  return data;
}

inline long get_number() { return get<long>().at(0); }

// The next result.
template <typename T>
void put(const std::vector<T>& data) {
  if (write_block(kResults, data)) return;
  std::fprintf(stderr, "harness: the result cannot be written; start this with ./lab check\n");
  std::exit(1);
}

// The end of every harness's main().
inline int done() { return write_end(kResults) ? 0 : 1; }

}  // namespace lab
