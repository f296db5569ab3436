// Between the look and the exchange another thread may have written a larger one.
__device__ int best;

__global__ void find_maximum() {
  const int mine = 1 + (blockIdx.x * 37 + threadIdx.x * 11) % 101;
#ifdef RIGHT
  atomicMax(&best, mine);
#else
  if (mine > atomicAdd(&best, 0)) atomicExch(&best, mine);  // finds lost-update
#endif
}

int main() {
  find_maximum<<<4, 32>>>();
  cudaDeviceSynchronize();
}
