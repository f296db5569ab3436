// trap: checked, locked, checked again is right with fences; who sees `ready` first needs one too.
__device__ int lock, ready, table, results[4];

__global__ void use() {
  if (atomicAdd(&ready, 0) == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
    __threadfence();
    if (atomicAdd(&ready, 0) == 0) {
      table = 42;  // finds race-fence
      __threadfence();
      atomicExch(&ready, 1);
    }
    __threadfence();
    atomicExch(&lock, 0);
  }
#ifdef RIGHT
  __threadfence();
#endif
  results[blockIdx.x] = table;  // finds race-fence
}

int main() {
  use<<<4, 1>>>();
  cudaDeviceSynchronize();
}
