// The memory is freed before its result is copied to the host.
__global__ void fill(int* values) { values[threadIdx.x] = 1; }

int main() {
  int *values, host[32];
  cudaMalloc(&values, sizeof(host));
  fill<<<1, 32>>>(values);
  cudaDeviceSynchronize();
#ifdef RIGHT
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(values);
#else
  cudaFree(values);
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);  // finds use-after-free
#endif
}
