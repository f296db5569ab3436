// Lets CUDA propose the number of threads per block that keeps the device busiest.
// Topic: threads
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void square_kernel(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

// Squares n elements. Returns the number of threads per block that was used.
int square(float* data, int n) {
  int least_blocks = 0, threads = 0;  // the fewest blocks that fill the device
  HANDLE_ERROR(cudaOccupancyMaxPotentialBlockSize(&least_blocks, &threads, square_kernel, 0, 0));
  float* dev;
  HANDLE_ERROR(cudaMalloc(&dev, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev, data, n * sizeof(float), cudaMemcpyHostToDevice));
  square_kernel<<<(n + threads - 1) / threads, threads>>>(dev, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(data, dev, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev));
  return threads;
}

int main() {
  std::vector<float> data(10000, 3.0f);
  const int threads = square(data.data(), 10000);
  printf("%d threads per block\n", threads);
  return data[0] == 9 && data[9999] == 9 && threads % 32 == 0 ? 0 : 1;
}
