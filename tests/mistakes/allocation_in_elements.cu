// cudaMalloc() is given the number of elements where bytes are meant.
__global__ void fill(double* values) {
  values[threadIdx.x] = threadIdx.x;  // finds out-of-bounds
}

int main() {
  double* values;
#ifdef RIGHT
  cudaMalloc(&values, 64 * sizeof(double));
#else
  cudaMalloc(&values, 64);
#endif
  fill<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}
