// A lock is released without a fence: the sum may arrive after the lock is seen to be free.
__device__ int lock, total;

__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
  __threadfence();
  total += blockIdx.x;  // finds race-fence
#ifdef RIGHT
  __threadfence();
#endif
  atomicExch(&lock, 0);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
