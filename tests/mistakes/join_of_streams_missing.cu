// Work is split over two streams; the last kernel waits for its own stream only.
__device__ int halves[64], result;

__global__ void work(int first) {
  halves[first + threadIdx.x] = first;  // finds race-kernels
}
__global__ void combine() {
  const int sum = halves[threadIdx.x] + halves[32 + threadIdx.x];  // finds race-kernels
  if (threadIdx.x == 0) result = sum;
}

int main() {
  cudaStream_t left, right;
  cudaEvent_t done;
  cudaStreamCreate(&left);
  cudaStreamCreate(&right);
  cudaEventCreate(&done);
  work<<<1, 32, 0, left>>>(0);
  work<<<1, 32, 0, right>>>(32);
  cudaEventRecord(done, right);
#ifdef RIGHT
  cudaStreamWaitEvent(left, done, 0);
#endif
  combine<<<1, 32, 0, left>>>();
  cudaDeviceSynchronize();
  cudaEventDestroy(done);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
}
