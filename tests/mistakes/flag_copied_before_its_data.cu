// A kernel waits for a flag that a copy sets; the data come by another stream, which nobody waits for.
__global__ void sum(int* flag, const int* data, int n, int* result) {
  while (atomicAdd(flag, 0) == 0) {
  }
  __threadfence();
  int total = 0;
  for (int i = 0; i < n; i++) total += data[i];  // finds race-kernels
  *result = total;
}

int main() {
  const int n = 64;
  int *flag, *data, *result, *host;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMallocHost(&host, (n + 1) * sizeof(int));
  for (int i = 0; i <= n; i++) host[i] = 1;
  cudaMemset(flag, 0, sizeof(int));
  cudaMemset(data, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t kernels, copies, flags;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&flags, cudaStreamNonBlocking);
  sum<<<1, 1, 0, kernels>>>(flag, data, n, result);
  cudaStreamQuery(kernels);
  cudaMemcpyAsync(data, host, n * sizeof(int), cudaMemcpyHostToDevice, copies);  // finds race-kernels
#ifdef RIGHT
  cudaStreamSynchronize(copies);
#endif
  cudaMemcpyAsync(flag, host + n, sizeof(int), cudaMemcpyHostToDevice, flags);
  cudaDeviceSynchronize();
  cudaFree(flag);
  cudaFree(data);
  cudaFree(result);
  cudaFreeHost(host);
}
