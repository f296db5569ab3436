// Whoever finds the lock taken waits for nothing and goes on.
__device__ int mutex, total;

__global__ void add() {
#ifdef RIGHT
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
#else
  if (atomicCAS(&mutex, 0, 1) != 0) __nanosleep(100);
#endif
  __threadfence();
  total += 1;  // finds race-exclusion
  __threadfence();
  atomicExch(&mutex, 0);
}

int main() {
  add<<<6, 1>>>();
  cudaDeviceSynchronize();
}
