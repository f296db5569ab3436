// A block that has nothing to do leaves without releasing the lock that it has taken.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int lock, total;

__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);  // finds no-progress
  __threadfence();
#ifdef RIGHT
  const bool leaves = false;
#else
  const bool leaves = true;
#endif
  if (leaves) return;
  total++;
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
