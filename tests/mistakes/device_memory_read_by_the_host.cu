// The host follows a pointer to memory of the device.
#include <cstdio>

__global__ void answer(int* result) { *result = 42; }

int main() {
  int *on_device, result = 0;
  cudaMalloc(&on_device, sizeof(int));
  answer<<<1, 1>>>(on_device);
  cudaMemcpy(&result, on_device, sizeof(int), cudaMemcpyDeviceToHost);
#ifndef RIGHT
  result = *on_device;  // finds wrong-side
#endif
  printf("%d\n", result);
  cudaFree(on_device);
}
