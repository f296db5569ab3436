// The event is recorded before the kernel that it should stand for.
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
  cudaEventCreateWithFlags(&produced, cudaEventDisableTiming);
#ifdef RIGHT
  produce<<<1, 64, 0, first>>>();
  cudaEventRecord(produced, first);
#else
  cudaEventRecord(produced, first);
  produce<<<1, 64, 0, first>>>();
#endif
  cudaStreamWaitEvent(second, produced, 0);
  consume<<<1, 64, 0, second>>>();
  cudaDeviceSynchronize();
  cudaEventDestroy(produced);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
