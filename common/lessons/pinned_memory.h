// Pinned host memory that is freed at the end of its scope: chapters 10 and 11.
#pragma once

#include <algorithm>
#include <cstddef>

#include "../handle_error.h"

// `n` elements from cudaHostAlloc, which the device can read and write without the driver's help.
// Flags:
//   cudaHostAllocDefault        pinned, nothing more
//   cudaHostAllocMapped         kernels may access the memory where it is (zero-copy)
//   cudaHostAllocWriteCombined  the host's writes bypass its caches; its reads are extremely slow
//   cudaHostAllocPortable       pinned for all devices; today all pinned memory is
template <typename T>
class PinnedMemory {
 public:
  explicit PinnedMemory(size_t n, unsigned int flags = cudaHostAllocDefault) {
    HANDLE_ERROR(cudaHostAlloc(&data_, std::max<size_t>(n, 1) * sizeof(T), flags));
  }
  ~PinnedMemory() { cudaFreeHost(data_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};
