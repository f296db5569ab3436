// NVML, as far as the CPU device has something to say: how many devices, their names, memory and versions. What a GPU measures
// (load, temperature, power, clocks) is NVML_ERROR_NOT_SUPPORTED, as on GPUs without the sensor.
#pragma once

#include <cstdio>
#include <cstring>

#include "cuda_runtime.h"

#define NVML_API_VERSION 12
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_CUDA_DRIVER_VERSION_MAJOR(v) ((v) / 1000)
#define NVML_CUDA_DRIVER_VERSION_MINOR(v) (((v) % 1000) / 10)

typedef enum {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NO_PERMISSION = 4,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7,
  NVML_ERROR_DRIVER_NOT_LOADED = 9,
  NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;
typedef struct nvmlDevice_st* nvmlDevice_t;  // its number, from 1
typedef struct {
  unsigned long long total, free, used;
} nvmlMemory_t;
typedef struct {
  unsigned int gpu, memory;
} nvmlUtilization_t;
typedef enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;
typedef enum { NVML_CLOCK_GRAPHICS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_CLOCK_VIDEO = 3 } nvmlClockType_t;

namespace cpu_device {
inline int& nvml_users() {
  static int count = 0;
  return count;
}
inline nvmlReturn_t nvml_device(nvmlDevice_t device, int* number) {
  int count = 0;
  if (nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
  cudaGetDeviceCount(&count);
  *number = static_cast<int>(reinterpret_cast<size_t>(device)) - 1;
  return *number >= 0 && *number < count ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
inline nvmlReturn_t nvml_text(const char* text, char* to, unsigned int length) {
  if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (strlen(text) >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  strcpy(to, text);
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvml_not_measured(nvmlDevice_t device) {
  int number = 0;
  const nvmlReturn_t error = nvml_device(device, &number);
  return error != NVML_SUCCESS ? error : NVML_ERROR_NOT_SUPPORTED;
}
}  // namespace cpu_device

inline nvmlReturn_t nvmlInit() {
  cpu_device::nvml_users()++;
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlInit_v2() { return nvmlInit(); }
inline nvmlReturn_t nvmlInitWithFlags(unsigned int) { return nvmlInit(); }
inline nvmlReturn_t nvmlShutdown() {
  if (cpu_device::nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
  cpu_device::nvml_users()--;
  return NVML_SUCCESS;
}
inline const char* nvmlErrorString(nvmlReturn_t error) {
  switch (error) {
    case NVML_SUCCESS: return "The operation was successful";
    case NVML_ERROR_UNINITIALIZED: return "NVML was not first initialized with nvmlInit()";
    case NVML_ERROR_INVALID_ARGUMENT: return "A supplied argument is invalid";
    case NVML_ERROR_NOT_SUPPORTED: return "The requested operation is not available on target device";
    case NVML_ERROR_INSUFFICIENT_SIZE: return "An input argument is not large enough";
    default: return "An internal driver error occurred";
  }
}
inline nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  return cpu_device::nvml_text("CPU device", version, length);
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  if (version == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) { return nvmlSystemGetCudaDriverVersion(version); }
inline nvmlReturn_t nvmlDeviceGetCount(unsigned int* count) {
  if (cpu_device::nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
  if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  int devices = 0;
  cudaGetDeviceCount(&devices);
  *count = static_cast<unsigned int>(devices);
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) { return nvmlDeviceGetCount(count); }
inline nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t* device) {
  if (device == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  int number = 0;
  *device = reinterpret_cast<nvmlDevice_t>(static_cast<size_t>(index) + 1);
  return cpu_device::nvml_device(*device, &number);
}
inline nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  return nvmlDeviceGetHandleByIndex(index, device);
}
inline nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  int number = 0;
  const nvmlReturn_t error = cpu_device::nvml_device(device, &number);
  if (error != NVML_SUCCESS) return error;
  if (index == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *index = static_cast<unsigned int>(number);
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  int number = 0;
  const nvmlReturn_t error = cpu_device::nvml_device(device, &number);
  if (error != NVML_SUCCESS) return error;
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, number);
  return cpu_device::nvml_text(properties.name, name, length);
}
inline nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  int number = 0;
  const nvmlReturn_t error = cpu_device::nvml_device(device, &number);
  if (error != NVML_SUCCESS) return error;
  char text[64];
  snprintf(text, sizeof text, "GPU-00000000-0000-0000-0000-%012d", number);
  return cpu_device::nvml_text(text, uuid, length);
}
inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  int number = 0, current = 0;
  const nvmlReturn_t error = cpu_device::nvml_device(device, &number);
  if (error != NVML_SUCCESS) return error;
  if (memory == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  size_t left = 0, all = 0;
  cudaGetDevice(&current);
  cudaSetDevice(number);
  cudaMemGetInfo(&left, &all);
  cudaSetDevice(current);
  *memory = {all, left, all - left};
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  int number = 0;
  const nvmlReturn_t error = cpu_device::nvml_device(device, &number);
  if (error != NVML_SUCCESS) return error;
  if (major == nullptr || minor == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, number);
  cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, number);
  return NVML_SUCCESS;
}

inline nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t*) {
  return cpu_device::nvml_not_measured(device);
}
inline nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t, unsigned int*) {
  return cpu_device::nvml_not_measured(device);
}
inline nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int*) { return cpu_device::nvml_not_measured(device); }
inline nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long*) {
  return cpu_device::nvml_not_measured(device);
}
inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t, unsigned int*) {
  return cpu_device::nvml_not_measured(device);
}
inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t, unsigned int*) {
  return cpu_device::nvml_not_measured(device);
}
inline nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int*) { return cpu_device::nvml_not_measured(device); }
