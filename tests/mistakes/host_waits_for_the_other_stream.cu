// The host waits for the wrong stream before it launches a kernel that needs the result.
__device__ int values[32], results[32];

__global__ void produce() {
  values[threadIdx.x] = 3;  // finds race-kernels
}
__global__ void consume() {
  results[threadIdx.x] = values[threadIdx.x];  // finds race-kernels
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  produce<<<1, 32, 0, first>>>();
#ifdef RIGHT
  cudaStreamSynchronize(first);
#else
  cudaStreamSynchronize(second);
#endif
  consume<<<1, 32, 0, second>>>();
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
