// The fence before the release of a lock between blocks reaches no further than the block.
__device__ int lock, total;

__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
  __threadfence();
  total += blockIdx.x;  // finds race-scope
#ifdef RIGHT
  __threadfence_system();
#else
  __threadfence_block();
#endif
  atomicExch(&lock, 0);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
