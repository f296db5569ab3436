// The host changes a pinned buffer while the asynchronous copy from it may still be running.
int main() {
  cudaStream_t stream;
  int *values, *host;
  cudaStreamCreate(&stream);
  const size_t bytes = 64 * sizeof(int);
  cudaMalloc(&values, bytes);
  cudaMallocHost(&host, bytes);
  for (int i = 0; i < 64; i++) host[i] = i;
  cudaMemcpyAsync(values, host, bytes, cudaMemcpyHostToDevice, stream);  // finds race-host
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  host[0] = 100;  // finds race-host
  cudaStreamSynchronize(stream);
  cudaFreeHost(host);
  cudaFree(values);
  cudaStreamDestroy(stream);
}
