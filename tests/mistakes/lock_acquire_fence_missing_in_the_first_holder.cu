// Only the block that usually comes first takes the lock without a fence.
__device__ int lock, total;

__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
#ifdef RIGHT
  __threadfence();
#else
  if (blockIdx.x != 0) __threadfence();
#endif
  total = total + 1;  // finds race-fence
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  add<<<2, 1>>>();
  cudaDeviceSynchronize();
}
