// Every block works on the same elements: the block's index is missing in the element's.
__global__ void increment(int* values) {
#ifdef RIGHT
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
  const int i = threadIdx.x;
#endif
  values[i] += 1;  // finds race-grid
}

int main() {
  int* values;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMemset(values, 0, 256 * sizeof(int));
  increment<<<4, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}
