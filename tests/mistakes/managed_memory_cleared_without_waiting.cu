// An asynchronous memset of managed memory, which the host then reads without waiting.
#include <cstdio>

int main() {
  int* values;
  cudaMallocManaged(&values, 32 * sizeof(int));
  for (int i = 0; i < 32; i++) values[i] = i;
  cudaMemsetAsync(values, 0, 32 * sizeof(int));  // finds race-host
#ifdef RIGHT
  cudaStreamSynchronize(0);
#endif
  printf("%d\n", values[7]);  // finds race-host
  cudaDeviceSynchronize();
  cudaFree(values);
}
