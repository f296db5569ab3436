// A fence orders one thread's own accesses; it does not wait for the other threads.
__device__ int values[64];

__global__ void reverse() {
  __shared__ int copy[64];
  const int t = threadIdx.x;
  copy[t] = values[t];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#else
  __threadfence_block();
#endif
  values[t] = copy[63 - t];  // finds race-block
}

int main() {
  reverse<<<1, 64>>>();
  cudaDeviceSynchronize();
}
