// The fences of a lock between blocks reach no further than the block.
__device__ int lock, total;

__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
#ifdef RIGHT
  __threadfence();
#else
  __threadfence_block();
#endif
  total += blockIdx.x;  // finds race-scope
#ifdef RIGHT
  __threadfence();
#else
  __threadfence_block();
#endif
  atomicExch(&lock, 0);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
