// The copy of a result is queued in a stream that does not wait for the kernel's.
__global__ void produce(int* values) {
  values[threadIdx.x] = threadIdx.x;  // finds race-kernels
}

int main() {
  cudaStream_t first, second;
  int *values, *host;
  const size_t bytes = 64 * sizeof(int);
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&values, bytes);
  cudaMemset(values, 0, bytes);
  cudaMallocHost(&host, bytes);
  produce<<<1, 64, 0, first>>>(values);
#ifdef RIGHT
  cudaMemcpyAsync(host, values, bytes, cudaMemcpyDeviceToHost, first);
#else
  cudaMemcpyAsync(host, values, bytes, cudaMemcpyDeviceToHost, second);  // finds race-kernels
#endif
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaFree(values);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
