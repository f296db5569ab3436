// A float4 is written by one block where another block reads the second of its floats.
__global__ void use(float* values, float* results) {
  const int t = threadIdx.x;
  float4* vectors = reinterpret_cast<float4*>(values);
  if (blockIdx.x == 0) vectors[t] = make_float4(1, 2, 3, 4);  // finds race-grid
#ifdef RIGHT
  if (blockIdx.x == 1) results[t] = values[128 + t];
#else
  if (blockIdx.x == 1) results[t] = values[4 * t + 1];  // finds race-grid
#endif
}

int main() {
  float *values, *results;
  cudaMalloc(&values, 256 * sizeof(float));
  cudaMalloc(&results, 32 * sizeof(float));
  cudaMemset(values, 0, 256 * sizeof(float));
  use<<<2, 32>>>(values, results);
  cudaDeviceSynchronize();
  cudaFree(results);
  cudaFree(values);
}
