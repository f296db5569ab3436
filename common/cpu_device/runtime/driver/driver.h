// What the driver interface's files share.
#pragma once

#include "../../include/cuda.h"

namespace cpu_device {

inline CUresult result(cudaError_t error) { return static_cast<CUresult>(error); }
inline void* address(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }
inline CUdeviceptr number(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

bool driver_initialized();
CUresult not_initialized(Site site);
CUresult no_context(Site site);
// CUDA_SUCCESS if the driver is initialized and this host thread has a context. A program that has begun
// with the runtime interface has initialized the driver, and made the device's primary context current,
// as on a GPU.
CUresult ready(Site site);
// The same for a call that names a stream, an event, a pool or memory, which has a context of its own. Only the default
// stream is the current context's.
CUresult ready_for(const void* object, Site site);
// CUDA_SUCCESS if the driver is initialized and there is such a device.
CUresult device_ready(CUdevice index, Site site);

}  // namespace cpu_device

#define CPU_DEVICE_READY                                  \
  do {                                                    \
    const CUresult state = ::cpu_device::ready(site);     \
    if (state != CUDA_SUCCESS) return state;              \
  } while (0)
#define CPU_DEVICE_READY_FOR(handle)                               \
  do {                                                           \
    const CUresult state = ::cpu_device::ready_for(handle, site); \
    if (state != CUDA_SUCCESS) return state;                      \
  } while (0)
// Of a null handle, CUDA says so even before it looks whether the driver is initialized.
#define CPU_DEVICE_READY_WITH(handle)                                                          \
  do {                                                                                         \
    if (handle == nullptr && !::cpu_device::driver_initialized()) return CUDA_ERROR_INVALID_HANDLE; \
    CPU_DEVICE_READY_FOR(handle);                                                              \
  } while (0)
#define CPU_DEVICE_CHECK_DEVICE(index)                           \
  do {                                                           \
    const CUresult state = ::cpu_device::device_ready(index, site); \
    if (state != CUDA_SUCCESS) return state;                     \
  } while (0)
