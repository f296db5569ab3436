// Adds two vectors in managed memory, which host and device share: no copies.
// Topic: memory
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Returns room for n floats, at the same address on the host and on the device.
float* allocate(int n) {
  float* memory;
  HANDLE_ERROR(cudaMallocManaged(&memory, n * sizeof(float)));
  return memory;
}

int main() {
  const int n = 1000;
  float *a = allocate(n), *b = allocate(n), *c = allocate(n);
  for (int i = 0; i < n; i++) a[i] = i, b[i] = 2 * i;

  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // before the host reads c

  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += c[i] != 3 * i;
  printf("%d of %d sums are wrong\n", wrong, n);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return wrong == 0 ? 0 : 1;
}
