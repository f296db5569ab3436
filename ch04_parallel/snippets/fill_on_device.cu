// Fills an array on the device, so that no input has to be copied.
// Topic: memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void squares(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i * i;
}

// Returns 0, 1, 4, 9 ...: n squares, computed on the device.
std::vector<int> squares(int n) {
  std::vector<int> result(n);
  if (n == 0) return result;
  int* dev;
  HANDLE_ERROR(cudaMalloc(&dev, n * sizeof(int)));
  squares<<<(n + 255) / 256, 256>>>(dev, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(result.data(), dev, n * sizeof(int), cudaMemcpyDeviceToHost));
  cudaFree(dev);
  return result;
}

int main() {
  const std::vector<int> result = squares(1000);
  printf("999 squared is %d\n", result[999]);
  return result[999] == 999 * 999 ? 0 : 1;
}
