// Verdict: counts: may run while another stream is at work
// REGION 1
  cudaStream_t streams[2];
  float* buffers[2];
  for (int s = 0; s < 2; s++) {
    HANDLE_ERROR(cudaStreamCreate(&streams[s]));
    HANDLE_ERROR(cudaMalloc(&buffers[s], kChunk * sizeof(float)));
  }
  for (int first = 0, s = 0; first < n; first += kChunk, s = 1 - s) {
    const int size = std::min(kChunk, n - first);
    HANDLE_ERROR(cudaMemcpyAsync(buffers[s], in + first, size * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
    square_root<<<(size + 127) / 128, 128>>>(buffers[s], size);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(out + first, buffers[s], size * sizeof(float), cudaMemcpyDeviceToHost, streams[s]));
  }
  for (int s = 0; s < 2; s++) {
    HANDLE_ERROR(cudaStreamSynchronize(streams[s]));
    HANDLE_ERROR(cudaFree(buffers[s]));
    HANDLE_ERROR(cudaStreamDestroy(streams[s]));
  }
