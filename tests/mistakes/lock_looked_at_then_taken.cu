// Between the look at the lock and the write that takes it, another block does the same.
__device__ int mutex, total;

__global__ void add() {
#ifdef RIGHT
  while (atomicExch(&mutex, 1) != 0) {
  }
#else
  while (atomicAdd(&mutex, 0) != 0) {
  }
  atomicExch(&mutex, 1);
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
