// Verdict: counts: needs at least 7
// REGION 1
  cudaStream_t stream[2];
  float* buffer[2];
  for (int s = 0; s < 2; s++) {
    HANDLE_ERROR(cudaStreamCreate(&stream[s]));
    HANDLE_ERROR(cudaMalloc(&buffer[s], kChunk * sizeof(float)));
  }
  for (int first = 0, s = 0; first < n; first += kChunk, s = 1 - s) {
    const int some = std::min(kChunk, n - first);
    const size_t bytes = some * sizeof(float);
    HANDLE_ERROR(
        cudaMemcpyAsync(buffer[s], in + first, bytes, cudaMemcpyHostToDevice, stream[s]));
    square_root<<<(some + 127) / 128, 128, 0, stream[s]>>>(buffer[s], some);
    HANDLE_ERROR(
        cudaMemcpyAsync(out + first, buffer[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
    HANDLE_ERROR(cudaStreamSynchronize(stream[s]));
  }
  for (int s = 0; s < 2; s++) {
    HANDLE_ERROR(cudaStreamDestroy(stream[s]));
    HANDLE_ERROR(cudaFree(buffer[s]));
  }
