// A function that takes the lock is called by a thread that has it.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int lock, total, calls;

__device__ void take() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);  // finds no-progress
  __threadfence();
}
__device__ void leave() {
  __threadfence();
  atomicExch(&lock, 0);
}
__device__ void count_call() {
#ifndef RIGHT
  take();
#endif
  calls++;
#ifndef RIGHT
  leave();
#endif
}

__global__ void add() {
  take();
  total++;
  count_call();
  leave();
}

int main() {
  add<<<3, 1>>>();
  cudaDeviceSynchronize();
}
