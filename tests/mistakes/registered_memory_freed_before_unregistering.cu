// Memory that is registered is freed, and unregistered afterwards: by then it may belong to somebody else.
#include <cstdlib>

int main() {
  const size_t bytes = 1 << 16;
  int* device;
  cudaMalloc(&device, bytes);
  void* host = calloc(bytes, 1);
  cudaHostRegister(host, bytes, cudaHostRegisterDefault);
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
#ifdef RIGHT
  cudaHostUnregister(host);
#endif
  free(host);  // finds wrong-pointer
  cudaFree(device);
}
