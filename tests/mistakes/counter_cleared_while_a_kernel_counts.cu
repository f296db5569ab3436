// A counter is cleared by a small copy in a stream that the kernel does not wait for: it is no flag.
__global__ void count(const int* values, int* counter) {
  if (values[threadIdx.x] % 3 == 0) atomicAdd(counter, 1);  // finds race-kernels
}

int main() {
  int *values, *counter, *zero;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&counter, sizeof(int));
  cudaMallocHost(&zero, sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  *zero = 0;
  cudaDeviceSynchronize();
  cudaStream_t kernels, copies;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  count<<<1, 64, 0, kernels>>>(values, counter);
#ifdef RIGHT
  cudaMemcpyAsync(counter, zero, sizeof(int), cudaMemcpyHostToDevice, kernels);
#else
  cudaMemcpyAsync(counter, zero, sizeof(int), cudaMemcpyHostToDevice, copies);  // finds race-kernels
#endif
  cudaStreamSynchronize(copies);
  cudaStreamSynchronize(kernels);
  cudaFree(values);
  cudaFree(counter);
  cudaFreeHost(zero);
}
