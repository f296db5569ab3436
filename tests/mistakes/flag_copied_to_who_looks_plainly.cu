// A kernel waits for a flag that a copy in another stream sets, and the host waits for the kernel. A plain
// read need not look again.
__global__ void wait_for_flag(int* flag, int* result) {
#ifdef RIGHT
  while (atomicAdd(flag, 0) == 0) {
#else
  while (*flag == 0) {  // finds race-kernels
#endif
  }
  *result = 7;
}

int main() {
  int *words, *host;
  cudaMalloc(&words, 2 * sizeof(int));
  cudaMallocHost(&host, sizeof(int));
  cudaMemset(words, 0, 2 * sizeof(int));
  *host = 1;
  cudaDeviceSynchronize();
  cudaStream_t kernels, copies;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  wait_for_flag<<<1, 1, 0, kernels>>>(words, words + 1);
  cudaMemcpyAsync(words, host, sizeof(int), cudaMemcpyHostToDevice, copies);  // finds race-kernels
  cudaStreamSynchronize(kernels);
  cudaStreamSynchronize(copies);
  cudaFree(words);
  cudaFreeHost(host);
}
