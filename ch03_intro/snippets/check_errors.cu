// Reports both kinds of launch errors: a launch that is impossible, and a kernel that fails.
// Topic: errors
#include <cstdio>

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }

// Launches the kernel, waits for it, and returns the first error.
cudaError_t fill_on_device(int* data, int threads, int value) {
  fill<<<1, threads>>>(data, value);
  const cudaError_t launched = cudaGetLastError();  // such as too many threads
  if (launched != cudaSuccess) return launched;
  return cudaDeviceSynchronize();  // such as an access outside of the memory
}

int main() {
  int *dev, host[256];
  if (cudaMalloc(&dev, sizeof(host)) != cudaSuccess) return 1;
  cudaError_t error = fill_on_device(dev, 256, 7);
  printf("256 threads: %s\n", cudaGetErrorString(error));
  if (error == cudaSuccess) error = cudaMemcpy(host, dev, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(dev);
  return error == cudaSuccess && host[255] == 7 ? 0 : 1;
}
