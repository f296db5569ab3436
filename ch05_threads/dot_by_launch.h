// Not the lesson: the host function of the dot product programs that differ from dot.cu only in
// their kernels.
#pragma once

#include "dot_program.h"

// Returns the dot product of a and b, n elements each, computed on the device by launch().
double dot(const float* a, const float* b, size_t n, int threads, int max_blocks) {
  if (n == 0) return 0;
  const DotVectors vectors(a, b, n, blocks_for(n, threads, max_blocks));
  launch(vectors, threads);
  return vectors.sum_of_partials();
}
