// Each block compares its maximum with that of all and writes it, without an atomic.
__device__ int best;

__global__ void find_maximum() {
  const int mine = __reduce_max_sync(0xffffffffu, static_cast<int>(threadIdx.x * blockIdx.x));
#ifdef RIGHT
  if (threadIdx.x == 0) atomicMax(&best, mine);
#else
  if (threadIdx.x == 0) best = max(best, mine);  // finds race-grid
#endif
}

int main() {
  find_maximum<<<4, 32>>>();
  cudaDeviceSynchronize();
}
