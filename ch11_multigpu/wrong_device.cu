// WRONG ON PURPOSE: uses a pointer to one device's memory on another device.
//
// Not in the book. What to look at: each pointer identifies its device (unified addressing), so
// copies work, and any pointer seems to work anywhere. A kernel that accesses another device's
// memory without cudaDeviceEnablePeerAccess fails. The usual cause is a forgotten cudaSetDevice. A
// GPU reports only "illegal memory access", and only at the next synchronization. The CPU device
// reports which device owns the memory.
//
//   ./course run wrong_device      (./course check wrong_device explains it)

#include <stdio.h>

#include <string>

#include "../common/handle_error.h"
#include "../common/program/broken_on_purpose.h"
#include "../common/program/device.h"
#include "../common/program/options.h"

__global__ void add_one(int* x) { *x += 1; }

// Makes device 1 add 1 to 41 in device 0's memory. Returns CUDA's error code; *x is the result.
cudaError_t add_one_elsewhere(bool peer_access, int* x) {
  int* dev_x;
  *x = 41;
  HANDLE_ERROR(cudaSetDevice(0));
  HANDLE_ERROR(cudaMalloc(&dev_x, sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_x, x, sizeof(int), cudaMemcpyHostToDevice));

  HANDLE_ERROR(cudaSetDevice(1));
  if (peer_access) HANDLE_ERROR(cudaDeviceEnablePeerAccess(0, 0));
  add_one<<<1, 1>>>(dev_x);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return error;  // this process can no longer use the device
  if (peer_access) HANDLE_ERROR(cudaDeviceDisablePeerAccess(0));

  HANDLE_ERROR(cudaSetDevice(0));
  HANDLE_ERROR(cudaMemcpy(x, dev_x, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_x));
  return cudaSuccess;
}

int main(int argc, char** argv) {
  course::Options options("Wrong on purpose: a pointer to one device's memory, used on another.");
  options.parse(argc, argv);
  course::require_devices(2);

  int x = 0, can_access = 0;
  HANDLE_ERROR(cudaDeviceCanAccessPeer(&can_access, 1, 0));
  if (can_access != 0) {
    HANDLE_ERROR(add_one_elsewhere(true, &x));
    printf("with peer access:    41 + 1 = %d\n", x);
    if (x != 42) {
      fprintf(stderr, "device 1 added 1 to 41 with peer access: got %d, expected 42\n", x);
      return course::kExitWrong;
    }
  }
  const cudaError_t error = add_one_elsewhere(false, &x);
  printf("without peer access: %s\n",
         error == cudaSuccess ? "no error" : cudaGetErrorString(error));
  return course::broken_as_intended(error != cudaSuccess,
                                    std::string(cudaGetErrorName(error)) + " on device 1",
                                    "this system allows peer access without enabling it");
}
