// Computes a dot product: each block adds its products as a tree in shared memory.
// Topic: reductions
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kThreads = 256;  // a power of two

// Each block stores the sum of its products in partial[blockIdx.x].
__global__ void dot_kernel(const float* a, const float* b, int n, float* partial) {
  __shared__ float cache[kThreads];  // one array for each block
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();  // outside the if: all threads of the block must reach it
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

// Returns the dot product of a and b, n elements each.
float dot(const float* a, const float* b, int n) {
  const int blocks = 32;
  float partial[blocks], *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, sizeof(partial)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));
  dot_kernel<<<blocks, kThreads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(partial, dev_partial, sizeof(partial), cudaMemcpyDeviceToHost));
  cudaFree(dev_a);
  cudaFree(dev_b);
  cudaFree(dev_partial);
  float sum = 0;
  for (float part : partial) sum += part;
  return sum;
}

int main() {
  std::vector<float> a(10000, 2.0f), b(10000, 3.0f);
  const float result = dot(a.data(), b.data(), 10000);
  printf("dot product: %g\n", result);
  return result == 60000 ? 0 : 1;
}
