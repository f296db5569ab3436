// Peterson's lock with its two writes exchanged: the turn is given away before the wish is visible.
__device__ int wants[2], turn, total;

__global__ void add() {
  const int me = blockIdx.x, other = 1 - me;
#ifdef RIGHT
  atomicExch(&wants[me], 1);
  __threadfence();
  atomicExch(&turn, other);
#else
  atomicExch(&turn, other);
  __threadfence();
  atomicExch(&wants[me], 1);
#endif
  __threadfence();
  while (atomicAdd(&wants[other], 0) != 0 && atomicAdd(&turn, 0) == other) __nanosleep(20);
  __threadfence();
  total += 1;  // finds race-exclusion
  __threadfence();
  atomicExch(&wants[me], 0);
}

int main() {
  add<<<2, 1>>>();
  cudaDeviceSynchronize();
}
