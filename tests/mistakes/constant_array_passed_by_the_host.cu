// The host passes the name of a __constant__ array, which a kernel would use by its name.
__constant__ float factors[4];

__global__ void scale(float* values, const float* by) { values[threadIdx.x] *= by[threadIdx.x % 4]; }
__global__ void scale_by_name(float* values) { values[threadIdx.x] *= factors[threadIdx.x % 4]; }

int main() {
  const float h[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(factors, h, sizeof h);
  float* values;
  cudaMalloc(&values, 32 * sizeof(float));
  cudaMemset(values, 0, 32 * sizeof(float));
#ifdef RIGHT
  scale_by_name<<<1, 32>>>(values);
#else
  scale<<<1, 32>>>(values, factors);  // finds wrong-pointer
#endif
  cudaDeviceSynchronize();
  cudaFree(values);
}
