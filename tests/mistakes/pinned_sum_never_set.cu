// The host adds to a sum in pinned memory that nobody has set.
#include <stdio.h>

__global__ void fill(float* values) { values[threadIdx.x] = threadIdx.x; }

int main() {
  float *values, *copied, *sum;
  cudaMalloc(&values, 64 * sizeof(float));
  cudaMallocHost(&copied, 64 * sizeof(float));
  cudaMallocHost(&sum, sizeof(float));
#ifdef RIGHT
  *sum = 0;
#endif
  fill<<<1, 64>>>(values);
  cudaMemcpy(copied, values, 64 * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) *sum += copied[i];  // finds uninitialized
  printf("%g\n", *sum);
  cudaFreeHost(sum);
  cudaFreeHost(copied);
  cudaFree(values);
}
