// Devices and errors of the driver interface.
#include <cstdio>

#include "../device/device.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "driver.h"

using namespace cpu_device;

CUresult cuDriverGetVersion(int* version) { return result(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult error, const char** name) {
  switch (error) {
#define CPU_DEVICE_ERROR(error_name, value) \
  case error_name:                          \
    *name = #error_name;                    \
    return CUDA_SUCCESS;
    CPU_DEVICE_DRIVER_ERRORS(CPU_DEVICE_ERROR)
#undef CPU_DEVICE_ERROR
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  const char* name = nullptr;
  *text = nullptr;
  if (cuGetErrorName(error, &name) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal, Site site) {
  CPU_DEVICE_CHECK_DEVICE(ordinal);
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  if (!driver_initialized()) return not_initialized({nullptr, 0});
  *count = settings().devices;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  if (name == nullptr || length < 1) return result(fail(cudaErrorInvalidValue));
  snprintf(name, static_cast<size_t>(length), "%s", properties().name);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  *uuid = properties().uuid;
  uuid->bytes[15] = static_cast<char>(device);
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  *bytes = properties().totalGlobalMem;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  switch (attribute) {  // what only the driver interface knows of
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: *value = 1; return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED: *value = 0; return CUDA_SUCCESS;
    default: break;
  }
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device, site));
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  *major = properties().major;
  *minor = properties().minor;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  if (const CUresult state = device_ready(device, {nullptr, 0}); state != CUDA_SUCCESS) return state;
  return result(cudaDeviceGetPCIBusId(text, length, device));
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  if (const CUresult state = device_ready(0, {nullptr, 0}); state != CUDA_SUCCESS) return state;
  return result(cudaDeviceGetByPCIBusId(device, text));
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  if (const CUresult state = device_ready(device, {nullptr, 0}); state != CUDA_SUCCESS) return state;
  return result(cudaDeviceCanAccessPeer(can, device, peer));
}
CUresult cuDeviceGetProperties(CUdevprop* p, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  const cudaDeviceProp& from = properties();
  *p = {from.maxThreadsPerBlock,
        {from.maxThreadsDim[0], from.maxThreadsDim[1], from.maxThreadsDim[2]},
        {from.maxGridSize[0], from.maxGridSize[1], from.maxGridSize[2]},
        static_cast<int>(from.sharedMemPerBlock),
        static_cast<int>(from.totalConstMem),
        from.warpSize,
        static_cast<int>(from.memPitch),
        from.regsPerBlock,
        from.clockRate,
        static_cast<int>(from.textureAlignment)};
  return CUDA_SUCCESS;
}
