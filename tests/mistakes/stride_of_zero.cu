// The step of the loop is 0: it never gets to its end.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__global__ void fill(int* values, int n, int step) {
  for (int i = threadIdx.x; i < n; i += step) values[i] = i;  // finds no-progress
}

int main() {
  const int blocks = 1;
#ifdef RIGHT
  const int step = blocks * 32;
#else
  const int step = blocks / 32;
#endif
  int* values;
  cudaMalloc(&values, 128 * sizeof(int));
  fill<<<blocks, 32>>>(values, 128, step);
  cudaDeviceSynchronize();
  cudaFree(values);
}
