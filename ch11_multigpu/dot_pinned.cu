// Computes a dot product with pinned host memory: the same copies, faster.
//
// Not in the book, which compares pageable copies with no copies at all. What to look at: the only
// change is that the vectors are in memory from cudaHostAlloc (pinned_memory.h). The copies and the
// kernel are those of dot_pageable. Compare dot_zero_copy with this program.
//
//   ./course run dot_pinned

#include "../common/lessons/pinned_memory.h"
#include "copied.h"

int main(int argc, char** argv) {
  const Request request =
      parse_request(argc, argv, "Dot product of vectors in pinned host memory.");
  PinnedMemory<float> a(request.size, cudaHostAllocDefault), b(request.size, cudaHostAllocDefault);
  return copied_dot_program(a.get(), b.get(), request);
}
