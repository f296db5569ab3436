// Computes the running sums of up to 1024 elements in one block: an inclusive scan.
// Topic: shared memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// One block of n threads. In each step every thread adds the sum that ends `step` elements before.
__global__ void prefix_sum_kernel(int* data) {
  __shared__ int sums[1024];
  const unsigned i = threadIdx.x;
  sums[i] = data[i];
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const int before = i >= step ? sums[i - step] : 0;
    __syncthreads();  // all have read before anyone writes
    sums[i] += before;
    __syncthreads();  // all have written before anyone reads
  }
  data[i] = sums[i];
}

// data[i] = data[0] + ... + data[i], for n elements, 1 to 1024.
void prefix_sum(int* data, int n) {
  int* dev;
  HANDLE_ERROR(cudaMalloc(&dev, n * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev, data, n * sizeof(int), cudaMemcpyHostToDevice));
  prefix_sum_kernel<<<1, n>>>(dev);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(data, dev, n * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev));
}

int main() {
  const int n = 777;
  std::vector<int> data(n);
  for (int i = 0; i < n; i++) data[i] = i;
  prefix_sum(data.data(), n);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += data[i] != i * (i + 1) / 2;
  printf("last sum: %d\n", data[n - 1]);
  return wrong == 0 ? 0 : 1;
}
