// What memory needs before and after each operation: order/ calls it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

struct AddressRange {
  uintptr_t low, high;  // high: exclusive
};

// While one of these lives, device memory can be accessed; otherwise host code that follows a device
// pointer is stopped, as it would be with a GPU. Costs a system call for each allocation, so only
// the first few, and not the largest, are kept closed.
class OpenDeviceMemory {
 public:
  // `touched`: where it is known what will be accessed. Then only those allocations are opened, because many programs
  // copy a few bytes after each step.
  explicit OpenDeviceMemory(const std::optional<std::vector<AddressRange>>& touched = std::nullopt);
  ~OpenDeviceMemory();
  OpenDeviceMemory(const OpenDeviceMemory&) = delete;
  OpenDeviceMemory& operator=(const OpenDeviceMemory&) = delete;

 private:
  const bool all_;
  std::vector<AddressRange> opened_;  // if not all
};

// Puts the device's own copies of __device__ and __constant__ variables in place.
void select_device_variables(int device);
// Whether a __device__ or __constant__ variable is there, of which each device has its own.
bool is_device_variable(uintptr_t address);

// Whether the bytes around an allocation were written since the last look; explains it as the work of
// `who` at `site`. `by_host`: looks only where host code can write; otherwise device memory must be open.
bool red_zones_damaged(Site site, const char* who, bool by_host);

}  // namespace cpu_device
