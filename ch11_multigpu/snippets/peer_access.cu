// Copies from device to device, and lets a kernel read the memory of another device.
// Topic: devices
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void twice(const int* from, int* to) { to[threadIdx.x] = 2 * from[threadIdx.x]; }

// Runs on device `to`: reads 64 ints of device `from` and writes their doubles to its own memory.
void twice_across(int from, const int* source, int to, int* target) {
  int can_access = 0;
  HANDLE_ERROR(cudaDeviceCanAccessPeer(&can_access, to, from));
  HANDLE_ERROR(cudaSetDevice(to));
  if (can_access) {
    HANDLE_ERROR(cudaDeviceEnablePeerAccess(from, 0));  // the current device may access `from`
    twice<<<1, 64>>>(source, target);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());
    HANDLE_ERROR(cudaDeviceDisablePeerAccess(from));
  } else {  // copy first; this works between any two devices
    HANDLE_ERROR(cudaMemcpyPeer(target, to, source, from, 64 * sizeof(int)));
    twice<<<1, 64>>>(target, target);
    HANDLE_ERROR(cudaGetLastError());
  }
}

int main() {
  int count = 0, numbers[64], *source, *target;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  if (count < 2) return printf("needs two devices\n"), 0;
  for (int i = 0; i < 64; i++) numbers[i] = i;
  HANDLE_ERROR(cudaSetDevice(0));
  HANDLE_ERROR(cudaMalloc(&source, sizeof numbers));
  HANDLE_ERROR(cudaMemcpy(source, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaSetDevice(1));
  HANDLE_ERROR(cudaMalloc(&target, sizeof numbers));
  twice_across(0, source, 1, target);
  HANDLE_ERROR(cudaMemcpy(numbers, target, sizeof numbers, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(target));
  HANDLE_ERROR(cudaSetDevice(0));
  HANDLE_ERROR(cudaFree(source));
  printf("2 * 63 = %d\n", numbers[63]);
  return numbers[63] == 126 ? 0 : 1;
}
