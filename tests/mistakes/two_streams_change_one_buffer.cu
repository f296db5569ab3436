// Two kernels in two streams change the same buffer, and nothing orders the streams.
__global__ void increment(int* values) {
  values[threadIdx.x] += 1;  // finds race-kernels
}

int main() {
  int* values;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  increment<<<1, 64, 0, first>>>(values);
#ifdef RIGHT
  increment<<<1, 64, 0, first>>>(values);
#else
  increment<<<1, 64, 0, second>>>(values);
#endif
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
