// A lock is taken without a fence: the sum may have been read before the lock was taken.
__device__ int lock, total;

__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
#ifdef RIGHT
  __threadfence();
#endif
  total += blockIdx.x;  // finds race-fence
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
