// Warps of a block count into the same bins with ++, which loses counts.
__device__ int bins[32];

__global__ void count() {
  __shared__ int counts[32];
  const int t = threadIdx.x;
  if (t < 32) counts[t] = 0;
  __syncthreads();
#ifdef RIGHT
  atomicAdd(&counts[t % 32], 1);
#else
  counts[t % 32]++;  // finds race-block
#endif
  __syncthreads();
  if (t < 32) bins[t] = counts[t];
}

int main() {
  count<<<1, 128>>>();
  cudaDeviceSynchronize();
}
