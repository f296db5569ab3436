// In the manner of monitoring tools: what NVML says of each device, and what it cannot say here.
#include <cuda_runtime.h>
#include <nvml.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
  setenv("CPU_DEVICE_COUNT", "3", 1);  // for a machine without a GPU
  unsigned int count = 0;
  if (nvmlDeviceGetCount(&count) != NVML_ERROR_UNINITIALIZED) return 1;
  if (nvmlInit() != NVML_SUCCESS || nvmlDeviceGetCount(&count) != NVML_SUCCESS || count == 0) return 2;
  int devices = 0, version = 0, runtime = 0;
  cudaGetDeviceCount(&devices);
  if (devices != int(count)) return 3;
  for (unsigned int i = 0; i < count; i++) {
    nvmlDevice_t device;
    char name[NVML_DEVICE_NAME_BUFFER_SIZE], few[2];
    unsigned int index = 99, watts;
    nvmlMemory_t before, after;
    if (nvmlDeviceGetHandleByIndex(i, &device) != NVML_SUCCESS) return 4;
    if (nvmlDeviceGetIndex(device, &index) != NVML_SUCCESS || index != i) return 5;
    if (nvmlDeviceGetName(device, name, sizeof name) != NVML_SUCCESS) return 6;
    if (nvmlDeviceGetName(device, few, sizeof few) != NVML_ERROR_INSUFFICIENT_SIZE) return 7;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, int(i));
    if (strcmp(name, properties.name) != 0) return 8;
    void *memory;
    cudaSetDevice(int(i));
    if (nvmlDeviceGetMemoryInfo(device, &before) != NVML_SUCCESS) return 9;
    cudaMalloc(&memory, 64 << 20);
    nvmlDeviceGetMemoryInfo(device, &after);
    cudaFree(memory);
    if (before.total != after.total || after.used - before.used < 64 << 20 || after.free + after.used != after.total) return 10;
#ifdef __CPU_DEVICE__
    if (nvmlDeviceGetPowerUsage(device, &watts) != NVML_ERROR_NOT_SUPPORTED) return 11;
#else
    if (nvmlDeviceGetPowerUsage(device, &watts) != NVML_SUCCESS) return 11;
#endif
    // Second names, and the rest of what may be asked.
    nvmlDevice_t same;
    char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE], other[NVML_DEVICE_UUID_V2_BUFFER_SIZE];
    int major = 0, minor = 0;
    if (nvmlDeviceGetHandleByIndex_v2(i, &same) != NVML_SUCCESS || same != device) return 15;
    if (nvmlDeviceGetCudaComputeCapability(device, &major, &minor) != NVML_SUCCESS || major != properties.major || minor != properties.minor) return 16;
    if (nvmlDeviceGetUUID(device, uuid, sizeof uuid) != NVML_SUCCESS || strncmp(uuid, "GPU-", 4) != 0 || strlen(uuid) != 40) return 17;
    const unsigned int length = unsigned(strlen(uuid));
    if (nvmlDeviceGetUUID(device, other, length) != NVML_ERROR_INSUFFICIENT_SIZE || nvmlDeviceGetUUID(device, other, length + 1) != NVML_SUCCESS) return 18;
    if (i > 0 && nvmlDeviceGetHandleByIndex(0, &same) == NVML_SUCCESS && nvmlDeviceGetUUID(same, other, sizeof other) == NVML_SUCCESS && strcmp(uuid, other) == 0) return 19;
    if (nvmlDeviceGetName(device, name, unsigned(strlen(properties.name))) != NVML_ERROR_INSUFFICIENT_SIZE) return 20;
    if (nvmlDeviceGetName(device, name, unsigned(strlen(properties.name)) + 1) != NVML_SUCCESS || strcmp(name, properties.name) != 0) return 21;
#ifdef __CPU_DEVICE__  // what a GPU measures; and what is no device
    unsigned int number;
    unsigned long long joules;
    nvmlUtilization_t load;
    for (nvmlReturn_t wanted : {NVML_ERROR_NOT_SUPPORTED, NVML_ERROR_INVALID_ARGUMENT}) {
      const nvmlDevice_t it = wanted == NVML_ERROR_NOT_SUPPORTED ? device : nullptr;
      if (nvmlDeviceGetUtilizationRates(it, &load) != wanted || nvmlDeviceGetTemperature(it, NVML_TEMPERATURE_GPU, &number) != wanted) return 22;
      if (nvmlDeviceGetPowerUsage(it, &number) != wanted || nvmlDeviceGetTotalEnergyConsumption(it, &joules) != wanted) return 23;
      if (nvmlDeviceGetClockInfo(it, NVML_CLOCK_SM, &number) != wanted || nvmlDeviceGetMaxClockInfo(it, NVML_CLOCK_MEM, &number) != wanted) return 24;
      if (nvmlDeviceGetFanSpeed(it, &number) != wanted) return 25;
    }
    if (nvmlDeviceGetUUID(nullptr, uuid, sizeof uuid) != NVML_ERROR_INVALID_ARGUMENT || nvmlDeviceGetIndex(nullptr, &number) != NVML_ERROR_INVALID_ARGUMENT) return 26;
    if (nvmlDeviceGetName(device, nullptr, 96) != NVML_ERROR_INVALID_ARGUMENT || nvmlDeviceGetMemoryInfo(nullptr, &after) != NVML_ERROR_INVALID_ARGUMENT) return 27;
    if (nvmlDeviceGetCudaComputeCapability(nullptr, &major, &minor) != NVML_ERROR_INVALID_ARGUMENT) return 28;
    for (nvmlReturn_t refused : {nvmlDeviceGetCount(nullptr), nvmlDeviceGetHandleByIndex(0, nullptr), nvmlDeviceGetIndex(device, nullptr),
                                 nvmlDeviceGetMemoryInfo(device, nullptr), nvmlDeviceGetCudaComputeCapability(device, nullptr, &minor),
                                 nvmlDeviceGetCudaComputeCapability(device, &major, nullptr), nvmlDeviceGetUUID(device, nullptr, 96)})
      if (refused != NVML_ERROR_INVALID_ARGUMENT) return 39;
#endif
    printf("%s: power: %s\n", name, nvmlErrorString(NVML_ERROR_NOT_SUPPORTED));
  }
  nvmlDevice_t none;
  if (nvmlDeviceGetHandleByIndex(count, &none) != NVML_ERROR_INVALID_ARGUMENT) return 12;
  cudaDriverGetVersion(&runtime);
  if (nvmlSystemGetCudaDriverVersion(&version) != NVML_SUCCESS || version != runtime) return 13;
  unsigned int again = 0;
  char driver[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE], few[2];
  if (nvmlDeviceGetCount_v2(&again) != NVML_SUCCESS || again != count) return 29;
  if (nvmlSystemGetCudaDriverVersion_v2(&version) != NVML_SUCCESS || version != runtime) return 30;
  if (NVML_CUDA_DRIVER_VERSION_MAJOR(12084) != 12 || NVML_CUDA_DRIVER_VERSION_MINOR(12084) != 8) return 38;
  if (NVML_CUDA_DRIVER_VERSION_MAJOR(version) * 1000 + NVML_CUDA_DRIVER_VERSION_MINOR(version) * 10 != version) return 31;
  if (nvmlSystemGetDriverVersion(driver, sizeof driver) != NVML_SUCCESS || driver[0] == 0) return 32;
  if (nvmlSystemGetDriverVersion(few, sizeof few) != NVML_ERROR_INSUFFICIENT_SIZE) return 33;
  // It stays until the last one of those who need it leaves.
  if (nvmlInit_v2() != NVML_SUCCESS || nvmlInitWithFlags(0) != NVML_SUCCESS) return 34;
  if (nvmlShutdown() != NVML_SUCCESS || nvmlShutdown() != NVML_SUCCESS || nvmlDeviceGetCount(&again) != NVML_SUCCESS) return 35;
  const char *words[] = {nvmlErrorString(NVML_SUCCESS), nvmlErrorString(NVML_ERROR_UNINITIALIZED), nvmlErrorString(NVML_ERROR_INVALID_ARGUMENT),
                         nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), nvmlErrorString(NVML_ERROR_INSUFFICIENT_SIZE), nvmlErrorString(NVML_ERROR_UNKNOWN)};
  for (const char *one : words)
    for (const char *another : words)
      if ((one == another) != (strcmp(one, another) == 0)) return 36;
  if (strstr(words[0], "success") == nullptr || strstr(words[1], "initialized") == nullptr || strstr(words[2], "argument") == nullptr) return 37;
  if (nvmlShutdown() != NVML_SUCCESS || nvmlShutdown() != NVML_ERROR_UNINITIALIZED) return 14;
  return 0;
}
