// The devices, and the limits that programs are told.
#pragma once

#include <cstddef>
#include <vector>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

constexpr unsigned kMaxThreads = 1024;     // of a block
constexpr size_t kMaxShared = 227 * 1024;  // dynamic shared memory of a block, bytes

struct Device {
  cudaError_t broken = cudaSuccess;    // an error from which the device does not recover
  size_t memory_used = 0;              // bytes
  int max_dynamic_shared = 48 * 1024;  // raised by cudaFuncSetAttribute
  std::vector<bool> peers;             // devices whose memory this one may access
};
Device& device(int index);
int current_device();  // of this host thread
// Whether there is such a device; explains it if not, as an error of the call `what`.
bool check_device(int index, Site site, const char* what);
const cudaDeviceProp& properties();

}  // namespace cpu_device
