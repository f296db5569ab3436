// Half of the result is copied into an array of new, and the host adds up all of it. The right
// program copies in parts, and reads of a larger array only what came.
#include <cstdio>

__global__ void fill(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  const int n = 128;
  int *values, *host = new int[n], *spacious = new int[10 * n];
  cudaMalloc(&values, n * sizeof(int));
  fill<<<2, 64>>>(values);
  cudaMemcpy(host, values, n / 2 * sizeof(int), cudaMemcpyDeviceToHost);
#ifdef RIGHT
  cudaMemcpy(host + n / 2, values + n / 2, n / 2 * sizeof(int), cudaMemcpyDeviceToHost);
#endif
  cudaMemcpy(spacious, values, n * sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < n; i++) sum += spacious[i];
  for (int i = 0; i < n; i++) sum += host[i];  // finds unwritten-copy
  printf("%ld\n", sum);
  cudaFree(values);
  delete[] spacious;
  delete[] host;
}
