// A case for DEBUGGING.md: the elements add up to 1024, and the program says otherwise.
#include <cstdio>

constexpr int kElements = 1024;

__global__ void sum_all(const int* in, int* sum, int n) {
  __shared__ int block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * gridDim.x;
  if (i < n) atomicAdd(&block_sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, block_sum);
}

int main() {
  int *in, *sum;
  cudaMallocManaged(&in, kElements * sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  for (int i = 0; i < kElements; i++) in[i] = i < kElements / 2 ? 0 : 2;
  *sum = 0;
  sum_all<<<4, 256>>>(in, sum, kElements);
  cudaDeviceSynchronize();
  printf("%d, expected 1024\n", *sum);
  return *sum != 1024;
}
