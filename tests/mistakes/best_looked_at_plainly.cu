// trap: a volatile look at the best so far saves atomics and is right; a plain look is a race.
__device__ int best;

__global__ void find_maximum() {
  const int mine = 1 + (blockIdx.x * 37 + threadIdx.x) % 101;
#ifdef RIGHT
  const volatile int* seen = &best;
  if (mine > *seen) atomicMax(&best, mine);
#else
  if (mine > best) atomicMax(&best, mine);  // finds race-atomic
#endif
}

int main() {
  find_maximum<<<4, 32>>>();
  cudaDeviceSynchronize();
}
