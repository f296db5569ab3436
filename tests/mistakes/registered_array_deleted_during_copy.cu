// An array of the host that is registered is deleted while a queued copy still reads it.
int main() {
  const int n = 1 << 16;
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* host = new int[n]();
  cudaHostRegister(host, n * sizeof(int), cudaHostRegisterDefault);
  cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
  cudaHostUnregister(host);
#endif
  delete[] host;  // finds freed-in-use
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(device);
}
