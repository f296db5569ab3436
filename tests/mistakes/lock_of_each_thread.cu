// trap: every thread takes the lock of its own slot, and all change one total.
__device__ int mutex[64], total;

__global__ void add() {
#ifdef RIGHT
  int* lock = &mutex[0];
#else
  int* lock = &mutex[blockIdx.x % 3];
#endif
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  total += 1;  // finds race-grid
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  add<<<6, 1>>>();
  cudaDeviceSynchronize();
}
