// Pinned memory is freed while an asynchronous copy from it may still be running.
int main() {
  cudaStream_t stream;
  int *values, *host;
  cudaStreamCreate(&stream);
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMallocHost(&host, 64 * sizeof(int));
  for (int i = 0; i < 64; i++) host[i] = i;
  cudaMemcpyAsync(values, host, 64 * sizeof(int), cudaMemcpyHostToDevice, stream);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  cudaFreeHost(host);  // finds freed-in-use
  cudaStreamSynchronize(stream);
  cudaFree(values);
  cudaStreamDestroy(stream);
}
