// A float4 is read from an address that is divisible by 4 and not by 16.
__global__ void read(const float* values, float4* results) {
#ifdef RIGHT
  const float* first = values + 4;
#else
  const float* first = values + 1;
#endif
  results[threadIdx.x] = reinterpret_cast<const float4*>(first)[threadIdx.x];  // finds misaligned
}

int main() {
  float* values;
  float4* results;
  cudaMalloc(&values, 64 * sizeof(float));
  cudaMalloc(&results, 8 * sizeof(float4));
  cudaMemset(values, 0, 64 * sizeof(float));
  read<<<1, 8>>>(values, results);
  cudaDeviceSynchronize();
  cudaFree(results);
  cudaFree(values);
}
