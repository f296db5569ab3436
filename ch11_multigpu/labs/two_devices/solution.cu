// The dot product on as many devices as there are.
#include "book.h"

// *sum += the sum of a[i] * b[i]; whole numbers, so that their order does not matter.
__global__ void dot_kernel(const int* a, const int* b, int n, int* sum) {
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    own += a[i] * b[i];
  atomicAdd(sum, own);
}

// The share of the current device; the pointers are the host's.
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

// n numbers each in the host's memory; how many each device got goes to shares[device], of which
// there is room for 16.
int two_devices(const int* a, const int* b, int n, int* shares) {
  int sum = 0;
  // SOLUTION BEGIN: int count; cudaGetDeviceCount(&count); then a loop over the devices
  //? first = n * d / count in long; cudaSetDevice(d); sum += dot_on_this_device(a + first, ...)
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  for (int d = 0; d < count; d++) {
    const int first = static_cast<int>(static_cast<long>(n) * d / count);
    const int end = static_cast<int>(static_cast<long>(n) * (d + 1) / count);
    HANDLE_ERROR(cudaSetDevice(d));
    sum += dot_on_this_device(a + first, b + first, end - first);
    shares[d] = end - first;
  }
  //| sum = dot_on_this_device(a, b, n);
  //| shares[0] = n;
  // SOLUTION END
  return sum;
}
