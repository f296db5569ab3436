// The work of the stream programs: c = the average of neighbors in a and b, then some more work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../common/program/random.h"

constexpr int kGroup =
    256;  // threads per block; the elements of a group are neighbors of each other

// The formula. An element's neighbors are the two after it in its group of 256, a ring. Groups are
// independent of each other, so chunks of whole groups give the same result as the whole. Six ints
// are added in 64 bits, because 32 would overflow.
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

// A round of more work: one step of a random number generator. It stands for a real computation.
constexpr unsigned int kFactor = 1664525, kSummand = 1013904223;

// One thread per element.
static __global__ void average(const int* a, const int* b, int* c, size_t n, int rounds = 0) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int value = average_of_neighbors(a, b, i, n);
  for (int round = 0; round < rounds; round++) value = value * kFactor + kSummand;
  c[i] = static_cast<int>(value);
}

// The same on the CPU, where all rounds together are one multiplication and one addition.
inline std::vector<int> average_on_cpu(const int* a, const int* b, size_t n, int rounds = 0) {
  unsigned int factor = 1, summand = 0;
  for (int round = 0; round < rounds; round++) {
    factor *= kFactor;
    summand = summand * kFactor + kSummand;
  }
  std::vector<int> c(n);
  for (size_t i = 0; i < n; i++)
    c[i] = static_cast<int>(average_of_neighbors(a, b, i, n) * factor + summand);
  return c;
}

// Blocks of kGroup threads that cover n elements.
inline int blocks_for(size_t n) { return static_cast<int>((n + kGroup - 1) / kGroup); }

// Any ints, including negative ones.
inline void fill_randomly(int* data, size_t n, uint32_t seed) {
  course::Random random(seed);
  for (size_t i = 0; i < n; i++) data[i] = static_cast<int>(random.bits());
}
