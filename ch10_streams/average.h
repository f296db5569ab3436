// The work of the stream programs: c = the average of neighbors in a and b.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../common/program/random.h"

constexpr int kGroup =
    256;  // threads per block; the elements of a group are each other's neighbors

// The formula. An element's neighbors are the two after it, in its group of 256, of which the last
// is followed by the first. Groups are independent of each other, so chunks of whole groups give
// the same result as the whole. Six ints are added in 64 bits, because 32 would overflow.
__host__ __device__ inline int average_of_neighbors(const int* a, const int* b, size_t i,
                                                    size_t n) {
  const size_t group = i / kGroup * kGroup;
  const unsigned int size = static_cast<unsigned int>(n - group < kGroup ? n - group : kGroup);
  const unsigned int own = static_cast<unsigned int>(i - group);
  const size_t j = group + (own + 1) % size;
  const size_t k = group + (own + 2) % size;
  const long long sum = static_cast<long long>(a[i]) + a[j] + a[k] + b[i] + b[j] + b[k];
  return static_cast<int>(sum / 6);
}

inline std::vector<int> average_on_cpu(const int* a, const int* b, size_t n) {
  std::vector<int> c(n);
  for (size_t i = 0; i < n; i++) c[i] = average_of_neighbors(a, b, i, n);
  return c;
}

// One thread per element.
static __global__ void average(const int* a, const int* b, int* c, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = average_of_neighbors(a, b, i, n);
}

// Blocks of kGroup threads that cover n elements.
inline int blocks_for(size_t n) { return static_cast<int>((n + kGroup - 1) / kGroup); }

// Any int, negative ones too.
inline void fill_randomly(int* data, size_t n, uint32_t seed) {
  course::Random random(seed);
  for (size_t i = 0; i < n; i++) data[i] = static_cast<int>(random.bits());
}
