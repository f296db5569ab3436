// Pinned memory is sent to the device, and nobody has filled it.
__global__ void add(const int* values, int* sum) {
  atomicAdd(sum, values[threadIdx.x]);  // finds uninitialized
}

int main() {
  int *host, *values, *sum;
  cudaMallocHost(&host, 64 * sizeof(int));
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
#ifdef RIGHT
  for (int i = 0; i < 64; i++) host[i] = i;
#endif
  cudaMemcpy(values, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
  add<<<1, 64>>>(values, sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(values);
  cudaFreeHost(host);
}
