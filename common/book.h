// All the helpers that the programs of "CUDA by Example" include, for listings typed from the book:
// error checks, random data, the heat colors, and host threads. The names and signatures are the
// book's, and the bodies are ours. The course's programs include only what they need of it.
#pragma once

#include <stdlib.h>

#include <utility>

#include "handle_error.h"
#include "lessons/heat_colors.h"
#include "program/host_threads.h"
#include "program/random.h"

// The book's swap(a, b) is the C++ library's: naming it here keeps unqualified calls working
// without a second template that `using namespace std` would make ambiguous.
using std::swap;

// `size` bytes of random data, the same on every machine and in every run; release with free().
inline void* big_random_block(int size) {
  if (size < 0) size = 0;
  unsigned char* data = static_cast<unsigned char*>(malloc(size > 0 ? size : 1));
  HANDLE_NULL(data);
  course::Random random(1);
  std::uint32_t word = 0;
  for (int i = 0; i < size; i++) {
    word = i % 4 == 0 ? random.bits() : word >> 8;
    data[i] = static_cast<unsigned char>(word & 0xff);
  }
  return data;
}

// `count` random integers, 0 to 2^31 - 1; release with free().
inline int* big_random_block_int(int count) {
  if (count < 0) count = 0;
  int* data = static_cast<int*>(malloc((count > 0 ? count : 1) * sizeof(int)));
  HANDLE_NULL(data);
  course::Random random(2);
  for (int i = 0; i < count; i++) data[i] = static_cast<int>(random.bits() >> 1);
  return data;
}
