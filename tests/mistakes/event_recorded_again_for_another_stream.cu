// One event for two streams: recorded again, it stands for the second only.
__device__ int values[2][32], results[32];

__global__ void produce_left() {
  values[0][threadIdx.x] = 1;  // finds race-kernels
}
__global__ void produce_right() { values[1][threadIdx.x] = 2; }
__global__ void consume() {
  results[threadIdx.x] = values[0][threadIdx.x] + values[1][threadIdx.x];  // finds race-kernels
}

int main() {
  cudaStream_t left, right, both;
  cudaEvent_t produced;
  cudaStreamCreate(&left);
  cudaStreamCreate(&right);
  cudaStreamCreate(&both);
  cudaEventCreate(&produced);
  produce_left<<<1, 32, 0, left>>>();
  cudaEventRecord(produced, left);
#ifdef RIGHT
  cudaStreamWaitEvent(both, produced, 0);
#endif
  produce_right<<<1, 32, 0, right>>>();
  cudaEventRecord(produced, right);
  cudaStreamWaitEvent(both, produced, 0);
  consume<<<1, 32, 0, both>>>();
  cudaDeviceSynchronize();
  cudaEventDestroy(produced);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
  cudaStreamDestroy(both);
}
