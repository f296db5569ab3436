// Half of the blocks take two ticket locks in the other order: each may hold one and wait for the other.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int next[2], serving[2], accounts[2] = {100, 100};

__device__ void take(int i) {
  const int ticket = atomicAdd(&next[i], 1);
  while (atomicAdd(&serving[i], 0) != ticket) __nanosleep(20);  // finds lock-order
  __threadfence();
}
__device__ void leave(int i) {
  __threadfence();
  atomicAdd(&serving[i], 1);
}

__global__ void transfer() {
  const int from = blockIdx.x % 2, to = 1 - from;
#ifdef RIGHT
  take(0);
  take(1);
#else
  take(from);
  take(to);
#endif
  accounts[from]--;
  accounts[to]++;
  leave(0);
  leave(1);
}

int main() {
  transfer<<<4, 1>>>();
  cudaDeviceSynchronize();
}
