// trap: two pinned buffers take turns, each refilled after its event; here without waiting for it.
int main() {
  const int n = 64;
  const size_t bytes = n * sizeof(int);
  cudaStream_t stream;
  cudaEvent_t copied[2];
  int *values, *host[2];
  cudaStreamCreate(&stream);
  cudaMalloc(&values, 4 * bytes);
  for (int i = 0; i < 2; i++) {
    cudaMallocHost(&host[i], bytes);
    cudaEventCreateWithFlags(&copied[i], cudaEventDisableTiming);
  }
  for (int step = 0; step < 4; step++) {
    int* buffer = host[step % 2];
#ifdef RIGHT
    if (step >= 2) cudaEventSynchronize(copied[step % 2]);
#endif
    for (int i = 0; i < n; i++) buffer[i] = step;  // finds race-host
    int* to = values + step * n;
    cudaMemcpyAsync(to, buffer, bytes, cudaMemcpyHostToDevice, stream);  // finds race-host
    cudaEventRecord(copied[step % 2], stream);
  }
  cudaStreamSynchronize(stream);
  for (int i = 0; i < 2; i++) {
    cudaEventDestroy(copied[i]);
    cudaFreeHost(host[i]);
  }
  cudaFree(values);
  cudaStreamDestroy(stream);
}
