// The host polls a flag by copies and then takes the result, while the kernel goes on. Without a fence
// the flag may be there before the result.
__global__ void answer_and_wait(int* result, int* ready, int* stop) {
  *result = 42;  // finds race-kernels
#ifdef RIGHT
  __threadfence();
#endif
  atomicExch(ready, 1);
  while (atomicAdd(stop, 0) == 0) {
  }
}

int main() {
  int *words, *host;
  cudaMalloc(&words, 3 * sizeof(int));
  cudaMallocHost(&host, sizeof(int));
  cudaMemset(words, 0, 3 * sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t kernels, copies;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  answer_and_wait<<<1, 1, 0, kernels>>>(words, words + 1, words + 2);
  int ready = 0;
  while (ready == 0) {
    cudaMemcpyAsync(&ready, words + 1, sizeof(int), cudaMemcpyDeviceToHost, copies);
    cudaStreamSynchronize(copies);
  }
  cudaMemcpyAsync(host, words, sizeof(int), cudaMemcpyDeviceToHost, copies);  // finds race-kernels
  cudaMemcpyAsync(words + 2, &ready, sizeof(int), cudaMemcpyHostToDevice, copies);
  cudaStreamSynchronize(kernels);
  cudaStreamSynchronize(copies);
  cudaFree(words);
  cudaFreeHost(host);
}
