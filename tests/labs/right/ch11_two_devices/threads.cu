// one host thread per device
#include <atomic>
#include <thread>
#include <vector>

#include "book.h"

__global__ void dot_kernel(const int* a, const int* b, int n, int* sum) {
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) own += a[i] * b[i];
  atomicAdd(sum, own);
}

int dot_on_this_device(const int* a, const int* b, int n) {
  int *dev_a, *dev_b, *dev_sum, sum = 0;
  const size_t bytes = n * sizeof(int);
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_sum, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_sum, 0, sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
  dot_kernel<<<4, 128>>>(dev_a, dev_b, n, dev_sum);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&sum, dev_sum, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_sum));
  return sum;
}

int two_devices(const int* a, const int* b, int n, int* shares) {
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  std::atomic<int> total{0};
  std::vector<std::thread> workers;
  for (int d = 0; d < count; ++d)
    workers.emplace_back([=, &total] {
      const int from = static_cast<long long>(n) * d / count, to = static_cast<long long>(n) * (d + 1) / count;
      HANDLE_ERROR(cudaSetDevice(d));
      shares[d] = to - from;
      total += dot_on_this_device(a + from, b + from, to - from);
    });
  for (auto& worker : workers) worker.join();
  return total;
}
