// An array is filled twice, and both copies are too short: the last thread reads what neither wrote.
__global__ void sum(const float* values, float* result) { atomicAdd(result, values[threadIdx.x]); }  // finds uninitialized

int main() {
  const int n = 32;
  float *values, *result, host[n] = {};
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&result, sizeof(float));
  cudaMemset(result, 0, sizeof(float));
#ifdef RIGHT
  cudaMemcpy(values, host, n * sizeof(float), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(values, host, 8 * sizeof(float), cudaMemcpyHostToDevice);
#endif
  cudaMemcpy(values, host, (n - 1) * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, n>>>(values, result);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(result);
}
