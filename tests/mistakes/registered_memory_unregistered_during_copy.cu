// A vector is unregistered, and ends, while an asynchronous copy into it may still be running.
#include <vector>

__global__ void fill(int* values) { values[threadIdx.x] = 1; }

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  {
    std::vector<int> host(64);
    cudaHostRegister(host.data(), 64 * sizeof(int), cudaHostRegisterDefault);
    fill<<<1, 64>>>(values);
    cudaMemcpyAsync(host.data(), values, 64 * sizeof(int), cudaMemcpyDeviceToHost);
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    cudaHostUnregister(host.data());  // finds freed-in-use
  }
  cudaFree(values);
}
