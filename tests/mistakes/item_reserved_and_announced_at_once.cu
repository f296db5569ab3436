// The counter that reserves a slot also tells the consumer that it is filled, which it is not yet.
__device__ int slots[4], filled[4], count, sums[2];

__global__ void pass() {
  if (blockIdx.x < 4) {
    const int slot = atomicAdd(&count, 1);
    slots[slot] = blockIdx.x;  // finds race-grid
    __threadfence();
    atomicExch(&filled[slot], 1);
  } else {
    const int me = blockIdx.x - 4;
#ifdef RIGHT
    for (int slot = 2 * me; slot < 2 * me + 2; slot++)
      while (atomicAdd(&filled[slot], 0) == 0) __nanosleep(20);
#else
    while (atomicAdd(&count, 0) < 2 * me + 2) __nanosleep(20);
#endif
    __threadfence();
    sums[me] = slots[2 * me] + slots[2 * me + 1];  // finds race-grid
  }
}

int main() {
  pass<<<6, 1>>>();
  cudaDeviceSynchronize();
}
