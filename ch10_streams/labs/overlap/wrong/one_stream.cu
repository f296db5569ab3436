// Verdict: counts: needs at least 7
// REGION 1
  cudaStream_t stream;
  float* buffer;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  HANDLE_ERROR(cudaMalloc(&buffer, kChunk * sizeof(float)));
  for (int first = 0; first < n; first += kChunk) {
    const int some = std::min(kChunk, n - first);
    const size_t bytes = some * sizeof(float);
    HANDLE_ERROR(cudaMemcpyAsync(buffer, in + first, bytes, cudaMemcpyHostToDevice, stream));
    square_root<<<(some + 127) / 128, 128, 0, stream>>>(buffer, some);
    HANDLE_ERROR(cudaMemcpyAsync(out + first, buffer, bytes, cudaMemcpyDeviceToHost, stream));
  }
  HANDLE_ERROR(cudaStreamSynchronize(stream));
  HANDLE_ERROR(cudaStreamDestroy(stream));
  HANDLE_ERROR(cudaFree(buffer));
