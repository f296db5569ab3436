// The copy stream brings the next input into the buffer that a kernel may still be reading.
__global__ void use(const int* input, int* results) {
  results[threadIdx.x] += input[threadIdx.x];  // finds race-kernels
}

int main() {
  const size_t bytes = 64 * sizeof(int);
  cudaStream_t copies, kernels;
  cudaEvent_t copied, used;
  int *host, *input, *results;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&kernels);
  cudaEventCreate(&copied);
  cudaEventCreate(&used);
  cudaMallocHost(&host, 2 * bytes);
  for (int i = 0; i < 128; i++) host[i] = i;
  cudaMalloc(&input, bytes);
  cudaMalloc(&results, bytes);
  cudaMemset(results, 0, bytes);
  for (int i = 0; i < 2; i++) {
#ifdef RIGHT
    if (i > 0) cudaStreamWaitEvent(copies, used, 0);
#endif
    const int* from = host + 64 * i;
    cudaMemcpyAsync(input, from, bytes, cudaMemcpyHostToDevice, copies);  // finds race-kernels
    cudaEventRecord(copied, copies);
    cudaStreamWaitEvent(kernels, copied, 0);
    use<<<1, 64, 0, kernels>>>(input, results);
    cudaEventRecord(used, kernels);
  }
  cudaDeviceSynchronize();
  cudaFree(results);
  cudaFree(input);
  cudaFreeHost(host);
  cudaEventDestroy(copied);
  cudaEventDestroy(used);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(kernels);
}
