// Device memory is closed while no kernel may access it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpu_device {

// Larger allocations stay open, unless there are several devices.
constexpr size_t kMaxClosedBytes = size_t(4) << 20;

// Closes the pages of the allocation at `base` to host code while no OpenDeviceMemory exists (see
// around_operations.h); false if it is too large or there are too many.
bool close_to_host(uintptr_t base, void* start, size_t bytes, int device);
void forget_closed(uintptr_t base);

// While one of these exists, memory of other devices is closed, unless `device` may access them as
// peers: for kernels, where there are several devices.
class CloseForeignMemory {
 public:
  explicit CloseForeignMemory(int device);
  ~CloseForeignMemory();
  CloseForeignMemory(const CloseForeignMemory&) = delete;
  CloseForeignMemory& operator=(const CloseForeignMemory&) = delete;

 private:
  int device_;
};

}  // namespace cpu_device
