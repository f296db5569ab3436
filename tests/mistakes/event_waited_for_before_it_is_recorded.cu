// A stream is told to wait for an event that is recorded later: it does not wait at all.
__device__ int values[32], results[32];

__global__ void produce() {
  values[threadIdx.x] = 1;  // finds race-kernels#2
}
__global__ void consume() {
  results[threadIdx.x] = values[threadIdx.x];  // finds race-kernels#2
}

int main() {
  cudaStream_t first, second;
  cudaEvent_t produced;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&produced);
#ifndef RIGHT
  cudaStreamWaitEvent(second, produced, 0);  // finds call-order#1
#endif
  produce<<<1, 32, 0, first>>>();
  cudaEventRecord(produced, first);
#ifdef RIGHT
  cudaStreamWaitEvent(second, produced, 0);
#endif
  consume<<<1, 32, 0, second>>>();
  cudaDeviceSynchronize();
  cudaEventDestroy(produced);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
