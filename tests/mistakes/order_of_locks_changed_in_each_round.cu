// In each round, blocks take two locks in the other order. Right: a counter that only grows keeps the rounds apart.
// Wrong: each block waits only for the first arrivals of its round.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int locks[2], values[2] = {1, 2}, arrived;

__device__ void meet(int round) {
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef RIGHT
    const int all = gridDim.x * (round + 1);
#else
    const int all = gridDim.x * round + 1;
#endif
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < all) {}
    __threadfence();
  }
  __syncthreads();
}

__device__ void take(int i) {
  while (atomicCAS(&locks[i], 0, 1) != 0) __nanosleep(20);  // finds lock-order
  __threadfence();
}
__device__ void leave(int i) {
  __threadfence();
  atomicExch(&locks[i], 0);
}
__device__ void exchange(int first, int second) {
  take(first);
  take(second);
  const int value = values[first];
  values[first] = values[second];
  values[second] = value;
  leave(second);
  leave(first);
}

__global__ void swap_in_rounds() {
  for (int round = 0; round < 3; round++) {
    if (threadIdx.x == 32) exchange(round % 2, 1 - round % 2);
    meet(round);
  }
}

int main() {
  swap_in_rounds<<<3, 64>>>();
  cudaDeviceSynchronize();
}
