// Runs a function on the device and copies its result back.
// Topic: threads
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void add(int a, int b, int* c) { *c = a + b; }

// Returns a + b, computed by one thread on the device.
int add_on_device(int a, int b) {
  int c = 0;
  int* dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_c, sizeof(int)));
  add<<<1, 1>>>(a, b, dev_c);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&c, dev_c, sizeof(int), cudaMemcpyDeviceToHost));  // waits for the kernel
  HANDLE_ERROR(cudaFree(dev_c));
  return c;
}

int main() {
  const int sum = add_on_device(2, 7);
  printf("2 + 7 = %d\n", sum);
  return sum == 9 ? 0 : 1;
}
