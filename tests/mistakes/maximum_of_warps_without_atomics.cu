// The first lane of each warp compares and writes the block's maximum, all at the same time.
__device__ int result;

__global__ void find_maximum() {
  __shared__ int best;
  const int t = threadIdx.x;
  if (t == 0) best = 0;
  __syncthreads();
  const int mine = t * 37 % 101;
#ifdef RIGHT
  if (t % 32 == 0) atomicMax(&best, mine);
#else
  if (t % 32 == 0 && mine > best) best = mine;  // finds race-block
#endif
  __syncthreads();
  if (t == 0) result = best;
}

int main() {
  find_maximum<<<1, 128>>>();
  cudaDeviceSynchronize();
}
