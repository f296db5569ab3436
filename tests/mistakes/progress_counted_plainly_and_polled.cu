// The host looks by copies how far a kernel is, and then tells it to stop. A count that is no atomic
// may be seen late, or never.
__global__ void count_until_told(int* progress, int* stop) {
  while (atomicAdd(stop, 0) == 0)
#ifdef RIGHT
    atomicAdd(progress, 1);
#else
    ++*progress;  // finds race-kernels
#endif
}

int main() {
  int *words, *host;
  cudaMalloc(&words, 2 * sizeof(int));
  cudaMallocHost(&host, 2 * sizeof(int));
  cudaMemset(words, 0, 2 * sizeof(int));
  host[0] = 0;
  host[1] = 1;
  cudaDeviceSynchronize();
  cudaStream_t kernels, copies;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  count_until_told<<<1, 1, 0, kernels>>>(words, words + 1);
  do {
    cudaMemcpyAsync(host, words, sizeof(int), cudaMemcpyDeviceToHost, copies);  // finds race-kernels
    cudaStreamSynchronize(copies);
  } while (host[0] < 100);
  cudaMemcpyAsync(words + 1, host + 1, sizeof(int), cudaMemcpyHostToDevice, copies);
  cudaStreamSynchronize(kernels);
  cudaStreamSynchronize(copies);
  cudaFree(words);
  cudaFreeHost(host);
}
