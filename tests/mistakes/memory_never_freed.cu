// Each call of a function allocates device memory that nobody frees.
// environment: CPU_DEVICE_LEAKS=error
__global__ void fill(int* values) { values[threadIdx.x] = threadIdx.x; }

static void work() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));  // finds leak
  fill<<<1, 32>>>(values);
  cudaDeviceSynchronize();
#ifdef RIGHT
  cudaFree(values);
#endif
}

int main() {
  for (int i = 0; i < 3; i++) work();
}
