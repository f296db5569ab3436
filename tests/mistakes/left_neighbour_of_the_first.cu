// The first thread of a stencil reads the element before the array.
__global__ void difference(const int* values, int* results) {
  const int i = threadIdx.x;
#ifdef RIGHT
  results[i] = i == 0 ? values[0] : values[i] - values[i - 1];
#else
  results[i] = values[i] - values[i - 1];  // finds out-of-bounds
#endif
}

int main() {
  int *values, *results;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&results, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  difference<<<1, 64>>>(values, results);
  cudaDeviceSynchronize();
  cudaFree(results);
  cudaFree(values);
}
