// trap: two streams may share a buffer if each has its own half; here the halves overlap by one.
__global__ void fill(float* values, float value) {
  values[threadIdx.x] = value;  // finds race-kernels
}

int main() {
  cudaStream_t first, second;
  float* values;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&values, 128 * sizeof(float));
  fill<<<1, 64, 0, first>>>(values, 1);
#ifdef RIGHT
  fill<<<1, 64, 0, second>>>(values + 64, 2);
#else
  fill<<<1, 64, 0, second>>>(values + 63, 2);
#endif
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
