// Each call counts in memory of its own, and frees it without reading the counters. The sum is read.
// environment: CPU_DEVICE_UNREAD=error
__global__ void count(const int* values, int* counts, int* sum) {
  atomicAdd(&counts[values[threadIdx.x] % 4], 1);
  atomicAdd(sum, values[threadIdx.x]);
}

static int counted(const int* values, int* sum) {
  int *counts, found[4] = {};
  cudaMalloc(&counts, sizeof found);  // finds unread-result
  cudaMemset(counts, 0, sizeof found);
  count<<<1, 32>>>(values, counts, sum);
#ifdef RIGHT
  cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost);
#endif
  cudaFree(counts);
  return found[0];
}

int main() {
  int *values, *sum, total = 0;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 32 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  int calls = 0;
  for (int i = 0; i < 3; i++) calls += counted(values, sum);
  cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);
  cudaFree(sum);
  return calls > 96;
}
