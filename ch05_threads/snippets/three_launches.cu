// Times the same kernel with one thread, with one block, and with many blocks.
// Topic: threads
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void add(const float* a, float* b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    b[i] += a[i];
}

// Adds a to b, n elements each, in device memory. Returns the kernel's time in milliseconds.
float add_ms(const float* dev_a, float* dev_b, int n, int blocks, int threads) {
  cudaEvent_t start, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));
  HANDLE_ERROR(cudaEventRecord(start));
  add<<<blocks, threads>>>(dev_a, dev_b, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(stop));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  float ms = 0;
  HANDLE_ERROR(cudaEventElapsedTime(&ms, start, stop));
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return ms;
}

int main() {
  const int n = 1 << 18, bytes = n * sizeof(float);
  std::vector<float> a(n, 1.0f), b(n, 2.0f);
  float *dev_a, *dev_b;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), bytes, cudaMemcpyHostToDevice));
  printf("1 thread:              %8.3f ms\n", add_ms(dev_a, dev_b, n, 1, 1));
  printf("1 block of 256:        %8.3f ms\n", add_ms(dev_a, dev_b, n, 1, 256));
  printf("%d blocks of 256:    %8.3f ms\n", n / 256, add_ms(dev_a, dev_b, n, n / 256, 256));
  HANDLE_ERROR(cudaMemcpy(b.data(), dev_b, bytes, cudaMemcpyDeviceToHost));
  cudaFree(dev_a);
  cudaFree(dev_b);
  return b[0] == 5 && b[n - 1] == 5 ? 0 : 1;
}
