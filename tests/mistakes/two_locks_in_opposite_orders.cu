// Half of the blocks take the two locks in the other order: each may hold one and wait for the other.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int locks[2], accounts[2] = {100, 100};

__device__ void take(int i) {
  while (atomicCAS(&locks[i], 0, 1) != 0) __nanosleep(20);  // finds lock-order
  __threadfence();
}
__device__ void leave(int i) {
  __threadfence();
  atomicExch(&locks[i], 0);
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
