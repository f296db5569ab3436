// Threads count in shared memory that nobody has set to zero.
__device__ int result;

__global__ void count() {
  __shared__ int counter;
#ifdef RIGHT
  if (threadIdx.x == 0) counter = 0;
#endif
  __syncthreads();
  atomicAdd(&counter, 1);  // finds uninitialized
  __syncthreads();
  if (threadIdx.x == 0) result = counter;
}

int main() {
  count<<<1, 64>>>();
  cudaDeviceSynchronize();
}
