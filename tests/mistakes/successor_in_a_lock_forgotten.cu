// A queue lock: its owner sees no successor and clears the tail by an exchange. Who has joined meanwhile waits forever.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int tail, next[8], blocked[8], total;

__global__ void add() {
  const int me = 1 + blockIdx.x;
  atomicExch(&next[me], 0);
  atomicExch(&blocked[me], 1);
  __threadfence();
  const int before = atomicExch(&tail, me);
  if (before != 0) {
    atomicExch(&next[before], me);
    while (atomicAdd(&blocked[me], 0) != 0) __nanosleep(20);  // finds no-progress
  }
  __threadfence();
  total += 1;
  __threadfence();
  int successor = atomicAdd(&next[me], 0);
#ifdef RIGHT
  if (successor == 0 && atomicCAS(&tail, me, 0) == me) return;
  while (successor == 0) successor = atomicAdd(&next[me], 0);
#else
  if (successor == 0) {
    if (atomicExch(&tail, 0) == 0) return;
    return;
  }
#endif
  atomicExch(&blocked[successor], 0);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
