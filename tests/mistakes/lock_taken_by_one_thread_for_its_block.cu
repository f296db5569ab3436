// trap: one thread locks, its block works between barriers; wrong without the fence of the release.
__device__ int lock, totals[64];

__global__ void add() {
  const int t = threadIdx.x;
  if (t == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
  totals[t] += t;  // finds race-fence
  __syncthreads();
  if (t == 0) {
#ifdef RIGHT
    __threadfence();
#endif
    atomicExch(&lock, 0);
  }
}

int main() {
  add<<<3, 64>>>();
  cudaDeviceSynchronize();
}
