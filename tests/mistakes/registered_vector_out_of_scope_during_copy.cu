// A std::vector whose memory is registered goes out of scope while a queued copy still writes it.
#include <vector>

static void fetch(const int* device, int n, cudaStream_t stream) {
  std::vector<int> host(n);
  cudaHostRegister(host.data(), n * sizeof(int), cudaHostRegisterDefault);
  cudaMemcpyAsync(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
  cudaHostUnregister(host.data());
#endif
}  // finds freed-in-use

int main() {
  const int n = 1 << 16;
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemset(device, 0, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaDeviceSynchronize();
  fetch(device, n, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(device);
}
