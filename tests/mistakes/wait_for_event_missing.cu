// The second stream uses what the first one makes, without waiting for its event.
__device__ int values[64], results[64];

__global__ void produce() {
  values[threadIdx.x] = threadIdx.x;  // finds race-kernels
}
__global__ void consume() {
  results[threadIdx.x] = values[63 - threadIdx.x];  // finds race-kernels
}

int main() {
  cudaStream_t first, second;
  cudaEvent_t produced;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&produced);
  produce<<<1, 64, 0, first>>>();
  cudaEventRecord(produced, first);
#ifdef RIGHT
  cudaStreamWaitEvent(second, produced, 0);
#endif
  consume<<<1, 64, 0, second>>>();
  cudaDeviceSynchronize();
  cudaEventDestroy(produced);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
