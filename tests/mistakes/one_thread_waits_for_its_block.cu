// trap: one thread waits for the flag, then a barrier lets its block go; wrong without its fence.
__device__ int data[64], flag, results[64];

__global__ void pass_on() {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;  // finds race-fence
    __syncthreads();
    __threadfence();
    if (t == 0) atomicExch(&flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(&flag, 0) == 0) __nanosleep(20);
#ifdef RIGHT
      __threadfence();
#endif
    }
    __syncthreads();
    results[t] = data[63 - t];  // finds race-fence
  }
}

int main() {
  pass_on<<<2, 64>>>();
  cudaDeviceSynchronize();
}
