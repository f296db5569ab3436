// Pinned host memory that is freed at the end of its scope.
#pragma once

#include <algorithm>

#include "../common/handle_error.h"

// `n` floats from cudaHostAlloc with `flags`, such as cudaHostAllocMapped. All flags:
//   cudaHostAllocMapped         kernels may use the memory where it is (zero-copy)
//   cudaHostAllocWriteCombined  the host's writes bypass its caches; its reads are extremely slow
//   cudaHostAllocPortable       pinned for all devices; today all pinned memory is
class HostFloats {
 public:
  HostFloats(size_t n, unsigned int flags) {
    HANDLE_ERROR(cudaHostAlloc(&data_, std::max<size_t>(n, 1) * sizeof(float), flags));
  }
  ~HostFloats() { cudaFreeHost(data_); }
  HostFloats(const HostFloats&) = delete;
  HostFloats& operator=(const HostFloats&) = delete;

  float* get() const { return data_; }

 private:
  float* data_ = nullptr;
};
