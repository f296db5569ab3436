// The first block takes two locks, and lets the others begin, which take them in the other order. Wrong: it gives the
// sign too early.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int locks[2], values[2] = {1, 2};
__device__ volatile int ready[4];

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

__global__ void one_after_another() {
  const int me = blockIdx.x;
  ready[me] = 1;
  if (me == 0) {
    for (int i = 1; i < gridDim.x; i++)
      while (ready[i] == 0) {}
#ifdef RIGHT
    exchange(0, 1);
    ready[0] = 2;
#else
    ready[0] = 2;
    exchange(0, 1);
#endif
  } else {
    while (ready[0] != 2) {}
    exchange(1, 0);
  }
}

int main() {
  one_after_another<<<4, 1>>>();
  cudaDeviceSynchronize();
}
