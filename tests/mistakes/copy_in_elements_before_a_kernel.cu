// The copy brings n bytes where n elements are meant; the kernel reads all n elements.
__global__ void negate(int* values) {
  values[threadIdx.x] = -values[threadIdx.x];  // finds uninitialized
}

int main() {
  const int n = 64;
  int host[n], *values;
  for (int i = 0; i < n; i++) host[i] = i;
  cudaMalloc(&values, n * sizeof(int));
#ifdef RIGHT
  cudaMemcpy(values, host, n * sizeof(int), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(values, host, n, cudaMemcpyHostToDevice);
#endif
  negate<<<1, n>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}
