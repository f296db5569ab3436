// The lock waits while it is 1, and nothing ever makes it 1: everybody goes on.
__device__ int mutex, total;

__global__ void add() {
#ifdef RIGHT
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
#else
  while (atomicCAS(&mutex, 1, 0) == 1) {
  }
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
