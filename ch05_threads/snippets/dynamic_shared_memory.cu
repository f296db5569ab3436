// Reverses an array in shared memory whose size the launch decides: the third launch argument.
// Topic: shared memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// One block of n threads.
__global__ void reverse_kernel(int* data, int n) {
  extern __shared__ int copy[];  // as many bytes as the launch says
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[n - 1 - threadIdx.x];
}

// Reverses n elements, 1024 at most.
void reverse(int* data, int n) {
  int* dev;
  HANDLE_ERROR(cudaMalloc(&dev, n * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev, data, n * sizeof(int), cudaMemcpyHostToDevice));
  reverse_kernel<<<1, n, n * sizeof(int)>>>(dev, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(data, dev, n * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev));
}

int main() {
  std::vector<int> data(100);
  for (int i = 0; i < 100; i++) data[i] = i;
  reverse(data.data(), 100);
  int wrong = 0;
  for (int i = 0; i < 100; i++) wrong += data[i] != 99 - i;
  printf("first %d, last %d\n", data[0], data[99]);
  return wrong == 0 ? 0 : 1;
}
