// The stream is told to wait only after the kernel that needs the data was launched in it.
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
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreate(&produced);
  produce<<<1, 64, 0, first>>>();
  cudaEventRecord(produced, first);
#ifdef RIGHT
  cudaStreamWaitEvent(second, produced, 0);
  consume<<<1, 64, 0, second>>>();
#else
  consume<<<1, 64, 0, second>>>();
  cudaStreamWaitEvent(second, produced, 0);
#endif
  cudaDeviceSynchronize();
  cudaEventDestroy(produced);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
