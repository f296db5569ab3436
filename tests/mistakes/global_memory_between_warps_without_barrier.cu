// Global memory is no more ordered than shared memory: the other warp's element needs a barrier.
__global__ void pass_on(int* values, int* results) {
  const int t = threadIdx.x;
  values[t] = 3 * t;  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  results[t] = values[(t + 64) % 128];  // finds race-block
}

int main() {
  int *values, *results;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&results, 128 * sizeof(int));
  cudaMemset(values, 0, 128 * sizeof(int));
  pass_on<<<1, 128>>>(values, results);
  cudaDeviceSynchronize();
  cudaFree(results);
  cudaFree(values);
}
