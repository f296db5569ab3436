// A thread releases the lock before and after it prints its result. The second time it is another thread's.
__device__ int lock, total;

__global__ void add() {
  for (int i = 0; i < 2; i++) {
    while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
    __threadfence();
    total += 1;  // finds race-exclusion
    __threadfence();
    atomicExch(&lock, 0);
#ifndef RIGHT
    atomicExch(&lock, 0);  // finds lost-update
#endif
  }
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
