// What the recording programs share: a row is a call, its arguments and its result, on one line.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define NEEDED(call)                                                                                   \
  do {                                                                                                 \
    const cudaError_t error = (call);                                                                  \
    if (error != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                   \
      exit(1);                                                                                         \
    }                                                                                                  \
  } while (0)

// Managed memory for a few results.
template <typename T>
T* results(size_t count) {
  T* memory;
  NEEDED(cudaMallocManaged(&memory, count * sizeof(T)));
  memset(memory, 0, count * sizeof(T));
  return memory;
}

// The bits of a number, so that -0, NaN and the last digit count.
template <typename T>
unsigned long long bits(T value) {
  unsigned long long word = 0;
  memcpy(&word, &value, sizeof value);
  return word;
}
