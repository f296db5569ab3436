// Each call counts in memory of its own, and frees it without reading the counters.
// environment: CPU_DEVICE_UNREAD=error
#include <cstdio>

__global__ void count(const int* values, int* counts) { atomicAdd(&counts[values[threadIdx.x] % 4], 1); }

static int counted(const int* values) {
  int *counts, found[4] = {};
  cudaMalloc(&counts, sizeof found);  // finds unread-result
  cudaMemset(counts, 0, sizeof found);
  count<<<1, 32>>>(values, counts);
#ifdef RIGHT
  cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost);
#endif
  cudaFree(counts);
  return found[0];
}

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  for (int i = 0; i < 3; i++) printf("%d of 32\n", counted(values));
  cudaFree(values);
}
