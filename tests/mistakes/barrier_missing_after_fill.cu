// No barrier between the write of a shared array and the read of another thread's element.
__global__ void reverse(int* values) {
  __shared__ int copy[64];
  const int t = threadIdx.x;
  copy[t] = values[t];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  values[t] = copy[63 - t];  // finds race-block
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 1, 64 * sizeof(int));
  reverse<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}
