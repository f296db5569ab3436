// Computes a dot product with ordinary host memory: copy to the device, compute, copy back.
//
// The book's section 11.2.1, first version: the baseline for dot_pinned and dot_zero_copy. What to
// look at: the copies take almost all of the time. They and the launch are in copied.h, the kernel
// is in dot.h. The next program, dot_pinned, shows how much of that is due to pageable memory.
//
//   ./course run dot_pageable

#include <vector>

#include "copied.h"

int main(int argc, char** argv) {
  const Request request =
      parse_request(argc, argv, "Dot product of vectors in pageable host memory.");
  std::vector<float> a(request.size), b(request.size);
  return copied_dot_program(a.data(), b.data(), request);
}
