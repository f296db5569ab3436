// A constant is set for the next kernel, in a stream that does not wait for the kernel that reads it.
__constant__ float factor;

__global__ void scale(float* values) { values[threadIdx.x] *= factor; }  // finds race-kernels#2

int main() {
  float *values, *host;
  cudaStream_t work, copies;
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaMalloc(&values, 32 * sizeof(float));
  cudaMallocHost(&host, 2 * sizeof(float));
  host[0] = 2;
  host[1] = 3;
  cudaMemsetAsync(values, 0, 32 * sizeof(float), work);
  cudaMemcpyToSymbolAsync(factor, host, sizeof(float), 0, cudaMemcpyHostToDevice, work);  // finds race-kernels#1
  scale<<<1, 32, 0, work>>>(values);
#ifdef RIGHT
  cudaStreamSynchronize(work);
#endif
  cudaMemcpyToSymbolAsync(factor, host + 1, sizeof(float), 0, cudaMemcpyHostToDevice, copies);  // finds race-kernels#1 // finds race-kernels#2
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaFree(values);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(work);
}
