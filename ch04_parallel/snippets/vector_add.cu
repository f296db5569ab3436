// Adds two vectors: one thread per element, in as many blocks as it takes.
// Topic: indexing
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // the last block may have threads without an element
}

// c = a + b, n elements each.
void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;  // a grid of 0 blocks is an error
  const size_t bytes = n * sizeof(float);
  float *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
  const int threads = 256, blocks = (n + threads - 1) / threads;  // rounded up
  add<<<blocks, threads>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  cudaFree(dev_a);
  cudaFree(dev_b);
  cudaFree(dev_c);
}

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; i++) a[i] = i, b[i] = 2 * i;
  vector_add(a.data(), b.data(), c.data(), n);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += c[i] != 3 * i;
  printf("%d of %d sums are wrong\n", wrong, n);
  return wrong == 0 ? 0 : 1;
}
