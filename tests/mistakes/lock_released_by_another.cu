// trap: a thread that did not get the lock releases it nevertheless.
__device__ int mutex, total;

__global__ void add() {
  for (int left = 40; left > 0; left--) {
    const bool mine = atomicCAS(&mutex, 0, 1) == 0;
    if (mine) {
      __threadfence();
      total += 1;  // finds race-exclusion
      __threadfence();
    }
#ifdef RIGHT
    if (mine) atomicExch(&mutex, 0);
#else
    atomicExch(&mutex, 0);
#endif
  }
}

int main() {
  add<<<6, 1>>>();
  cudaDeviceSynchronize();
}
