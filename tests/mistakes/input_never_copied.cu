// The copy of the input to the device is forgotten.
__global__ void square(const float* values, float* results) {
  results[threadIdx.x] = values[threadIdx.x] * values[threadIdx.x];  // finds uninitialized
}

int main() {
  float host[32], *values, *results;
  for (int i = 0; i < 32; i++) host[i] = i;
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&results, sizeof(host));
#ifdef RIGHT
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
#endif
  square<<<1, 32>>>(values, results);
  cudaMemcpy(host, results, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(results);
  cudaFree(values);
}
