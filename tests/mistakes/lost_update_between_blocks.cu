// One thread of each block adds to a counter without an atomic.
__device__ int counter;

__global__ void count_blocks() {
#ifdef RIGHT
  if (threadIdx.x == 0) atomicAdd(&counter, 1);
#else
  if (threadIdx.x == 0) counter++;  // finds race-grid
#endif
}

int main() {
  count_blocks<<<8, 32>>>();
  cudaDeviceSynchronize();
}
