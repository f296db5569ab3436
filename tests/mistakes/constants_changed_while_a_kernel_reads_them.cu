// A copy in one stream changes constant memory that a kernel of the other stream reads.
__constant__ float factors[4];
__device__ float results[32];

__global__ void scale() {
  results[threadIdx.x] *= factors[threadIdx.x % 4];  // finds race-kernels
}

int main() {
  cudaStream_t first, second;
  float* host;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMallocHost(&host, sizeof(factors));
  for (int i = 0; i < 4; i++) host[i] = i;
  scale<<<1, 32, 0, first>>>();
#ifdef RIGHT
  cudaStreamSynchronize(first);
#endif
  const cudaMemcpyKind down = cudaMemcpyHostToDevice;
  cudaMemcpyToSymbolAsync(factors, host, 16, 0, down, second);  // finds race-kernels
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
