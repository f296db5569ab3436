// Only the block that usually comes last releases the lock without a fence.
__device__ int lock, total;

__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
  __threadfence();
  total += 1;  // finds race-fence
#ifdef RIGHT
  __threadfence();
#else
  if (blockIdx.x != gridDim.x - 1) __threadfence();
#endif
  atomicExch(&lock, 0);
}

int main() {
  add<<<3, 1>>>();
  cudaDeviceSynchronize();
}
