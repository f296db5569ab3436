// The memory is freed before the last kernel that uses it.
__global__ void increment(int* values) {
  values[threadIdx.x]++;  // finds use-after-free
}

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
#ifdef RIGHT
  increment<<<1, 32>>>(values);
  cudaFree(values);
#else
  cudaFree(values);
  increment<<<1, 32>>>(values);
#endif
  cudaDeviceSynchronize();
}
