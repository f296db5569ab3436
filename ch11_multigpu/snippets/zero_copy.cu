// Lets a kernel read the host's memory directly: mapped pinned memory, no copies.
// Topic: host memory
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// Each block adds up its products of a[i] * b[i] in shared memory.
__global__ void dot_kernel(const float* a, const float* b, int n, float* partial) {
  __shared__ float cache[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

// The dot product of vectors in mapped host memory (cudaHostAllocMapped).
float dot(float* a, float* b, int n) {
  const int blocks = 32;
  float *partial, *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaHostAlloc(&partial, blocks * sizeof(float), cudaHostAllocMapped));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_a, a, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_b, b, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_partial, partial, 0));
  dot_kernel<<<blocks, 256>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // there is no copy that would wait
  float sum = 0;
  for (int block = 0; block < blocks; block++) sum += partial[block];
  HANDLE_ERROR(cudaFreeHost(partial));
  return sum;
}

int main() {
  const int n = 10000;
  const unsigned int flags = cudaHostAllocMapped | cudaHostAllocWriteCombined;
  float *a, *b;  // write-combined: the host only writes them
  HANDLE_ERROR(cudaHostAlloc(&a, n * sizeof(float), flags));
  HANDLE_ERROR(cudaHostAlloc(&b, n * sizeof(float), flags));
  for (int i = 0; i < n; i++) a[i] = 2, b[i] = 3;
  const float result = dot(a, b, n);
  HANDLE_ERROR(cudaFreeHost(a));
  HANDLE_ERROR(cudaFreeHost(b));
  printf("dot product: %g\n", result);
  return result == 60000 ? 0 : 1;
}
