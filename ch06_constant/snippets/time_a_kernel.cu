// Measures how long a kernel takes, with two events in its stream.
// Topic: events
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void work(unsigned* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = i + 1;
  for (int step = 0; step < 1000; step++) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  data[i] = x;
}

// Fills n elements of device memory. Returns the kernel's time in milliseconds.
float timed_work(unsigned* dev_data, int n) {
  cudaEvent_t start, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));

  HANDLE_ERROR(cudaEventRecord(start));
  work<<<(n + 255) / 256, 256>>>(dev_data, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(stop));
  HANDLE_ERROR(cudaEventSynchronize(stop));  // the time is not known before

  float ms = 0;
  HANDLE_ERROR(cudaEventElapsedTime(&ms, start, stop));
  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));
  return ms;
}

int main() {
  const int n = 10000;
  std::vector<unsigned> data(n);
  unsigned* dev_data;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(unsigned)));
  timed_work(dev_data, n);  // the first launch also loads the kernel
  const float ms = timed_work(dev_data, n);
  HANDLE_ERROR(cudaMemcpy(data.data(), dev_data, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  printf("the kernel took %.3f ms\n", ms);
  return ms > 0 && data[0] != 0 && data[0] != data[1] ? 0 : 1;
}
