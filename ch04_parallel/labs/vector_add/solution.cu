// Adds two vectors: one thread for each element, in blocks of 256.
#include "book.h"

constexpr int kThreads = 256;

__global__ void add(const float* a, const float* b, float* c, int n) {
  // SOLUTION BEGIN: the blocks before this one have blockIdx.x * blockDim.x threads. Add the thread's own number
  //? a thread whose index is n or more has no element. Put the addition into an if
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
  // SOLUTION END
}

// c = a + b, n elements each; a, b and c are in the host's memory.
void vector_add(const float* a, const float* b, float* c, int n) {
  float *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_c, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));

  // SOLUTION BEGIN: (n + kThreads - 1) / kThreads rounds up
  //? a launch of 0 blocks is an error. If n is 0, skip the launch
  const int blocks = (n + kThreads - 1) / kThreads;
  if (blocks > 0) add<<<blocks, kThreads>>>(dev_a, dev_b, dev_c, n);
  //| const int blocks = n / kThreads;
  //| add<<<blocks, kThreads>>>(dev_a, dev_b, dev_c, n);
  // SOLUTION END
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(c, dev_c, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}
