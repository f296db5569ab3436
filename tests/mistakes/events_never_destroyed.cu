// The events of a measurement are never destroyed.
// environment: CPU_DEVICE_LEAKS=error
__global__ void work(int* values) { values[threadIdx.x]++; }

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  cudaEvent_t start, stop;
  cudaEventCreate(&start);  // finds leak
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  work<<<1, 32>>>(values);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
#ifdef RIGHT
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
#endif
  cudaFree(values);
}
