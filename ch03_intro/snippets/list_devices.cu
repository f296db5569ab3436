// Lists the devices of this machine with their memory and compute capability.
// Topic: devices
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// Prints a line for each device, and returns how many there are.
int list_devices() {
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  for (int i = 0; i < count; i++) {
    cudaDeviceProp device;
    HANDLE_ERROR(cudaGetDeviceProperties(&device, i));
    printf("device %d: %s, compute capability %d.%d, %d multiprocessors, %.1f GB\n", i, device.name,
           device.major, device.minor, device.multiProcessorCount, device.totalGlobalMem * 1e-9);
  }
  return count;
}

int main() { return list_devices() > 0 ? 0 : 1; }
