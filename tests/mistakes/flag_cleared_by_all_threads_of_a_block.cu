// All threads set the same shared variable to zero, where one is enough.
__global__ void count(const int* data, int* out) {
  __shared__ int sum;
#ifdef RIGHT
  if (threadIdx.x == 0) sum = 0;
#else
  sum = 0;  // finds race-same-value
#endif
  __syncthreads();
  if (data[threadIdx.x] == 0) atomicAdd(&sum, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  count<<<1, 64>>>(data, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
}
