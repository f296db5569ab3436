// In the manner of monitoring tools: what NVML says of each device, and what it cannot say here.
#include <cuda_runtime.h>
#include <nvml.h>

#include <cstdio>
#include <cstring>

int main() {
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
    printf("%s: power: %s\n", name, nvmlErrorString(NVML_ERROR_NOT_SUPPORTED));
  }
  nvmlDevice_t none;
  if (nvmlDeviceGetHandleByIndex(count, &none) != NVML_ERROR_INVALID_ARGUMENT) return 12;
  cudaDriverGetVersion(&runtime);
  if (nvmlSystemGetCudaDriverVersion(&version) != NVML_SUCCESS || version != runtime) return 13;
  if (nvmlShutdown() != NVML_SUCCESS || nvmlShutdown() != NVML_ERROR_UNINITIALIZED) return 14;
  return 0;
}
