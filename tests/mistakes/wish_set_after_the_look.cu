// Each of two blocks looks whether the other one wants to enter, and says afterwards that it does itself.
__device__ int wants[2], turn, total;

__global__ void add() {
  const int me = blockIdx.x, other = 1 - me;
#ifdef RIGHT
  atomicExch(&wants[me], 1);
  __threadfence();
  atomicExch(&turn, other);
  __threadfence();
  while (atomicAdd(&wants[other], 0) != 0 && atomicAdd(&turn, 0) == other) __nanosleep(20);
#else
  while (atomicAdd(&wants[other], 0) != 0) __nanosleep(20);
  atomicExch(&wants[me], 1);
#endif
  __threadfence();
  total += 1;  // finds race-exclusion
  __threadfence();
  atomicExch(&wants[me], 0);
}

int main() {
  add<<<2, 1>>>();
  cudaDeviceSynchronize();
}
