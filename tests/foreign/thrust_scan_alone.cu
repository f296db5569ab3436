// A sort by digits that takes nothing of Thrust but its scan: each header must do on its own.
#include <cstdio>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/scan.h>

__global__ void fill(unsigned* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i % 10;
}

int main() {
  const int n = 1000;
  unsigned* values;
  cudaMalloc(&values, n * sizeof(unsigned));
  fill<<<(n + 127) / 128, 128>>>(values, n);
  const thrust::device_ptr<unsigned> first(values);
  thrust::exclusive_scan(first, first + n, first);
  unsigned last;
  cudaMemcpy(&last, values + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  printf("%u\n", last);
  return last != 4500 - 9;
}
