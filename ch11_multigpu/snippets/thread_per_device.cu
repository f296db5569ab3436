// Drives each device from its own host thread, with std::thread.
// Topic: devices
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void square(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

// The work of one host thread: its device squares n elements in place.
void square_on(int device, float* data, int n) {
  float* buffer;
  HANDLE_ERROR(cudaSetDevice(device));  // for this host thread only
  HANDLE_ERROR(cudaMalloc(&buffer, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(buffer, data, n * sizeof(float), cudaMemcpyHostToDevice));
  square<<<(n + 255) / 256, 256>>>(buffer, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(data, buffer, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(buffer));
}

int main() {
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  std::vector<float> data(1000 * count, 3.0f);
  std::vector<std::thread> threads;
  for (int device = 0; device < count; device++)
    threads.emplace_back(square_on, device, data.data() + 1000 * device, 1000);
  for (std::thread& thread : threads) thread.join();
  int right = 0;
  for (float value : data) right += value == 9;
  printf("%d of %zu are right\n", right, data.size());
  return right == 1000 * count ? 0 : 1;
}
