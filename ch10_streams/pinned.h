// Pinned host memory that is freed at the end of its scope.
#pragma once

#include <algorithm>
#include <cstddef>

#include "../common/handle_error.h"

// Host memory that the device can read and write by itself, without the driver's help.
class PinnedInts {
 public:
  explicit PinnedInts(size_t n) {
    HANDLE_ERROR(cudaHostAlloc(&data_, std::max<size_t>(n, 1) * sizeof(int), cudaHostAllocDefault));
  }
  ~PinnedInts() { cudaFreeHost(data_); }
  PinnedInts(const PinnedInts&) = delete;
  PinnedInts& operator=(const PinnedInts&) = delete;
  int* get() const { return data_; }

 private:
  int* data_ = nullptr;
};
