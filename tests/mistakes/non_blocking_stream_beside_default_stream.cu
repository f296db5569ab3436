// trap: the legacy default stream waits for blocking streams, but not for a non-blocking one.
__device__ int values[32], results[32];

__global__ void produce() {
  values[threadIdx.x] = 3;  // finds race-kernels
}
__global__ void consume() {
  results[threadIdx.x] = values[threadIdx.x];  // finds race-kernels
}

int main() {
  cudaStream_t stream;
#ifdef RIGHT
  cudaStreamCreate(&stream);
#else
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#endif
  produce<<<1, 32, 0, stream>>>();
  consume<<<1, 32>>>();
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
}
