// What memory needs before and after each operation: order/ calls it.
#pragma once

#include "../../include/cuda_runtime.h"

namespace cpu_device {

// While one of these lives, device memory can be accessed; otherwise host code that follows a device
// pointer is stopped, as it would be with a GPU. Costs a system call for each allocation, so only
// the first few, and not the largest, are kept closed.
class OpenDeviceMemory {
 public:
  OpenDeviceMemory();
  ~OpenDeviceMemory();
  OpenDeviceMemory(const OpenDeviceMemory&) = delete;
  OpenDeviceMemory& operator=(const OpenDeviceMemory&) = delete;
};

// Puts the device's own copies of __device__ and __constant__ variables in place.
void select_device_variables(int device);
// Whether a __device__ or __constant__ variable is there, of which each device has its own.
bool is_device_variable(uintptr_t address);

// Whether the bytes around an allocation were written since the last look; explains it as the work of
// `who` at `site`. `by_host`: looks only where host code can write; otherwise device memory must be open.
bool red_zones_damaged(Site site, const char* who, bool by_host);

}  // namespace cpu_device
