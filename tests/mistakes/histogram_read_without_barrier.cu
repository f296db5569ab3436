// The first warp reads the bins of a block while the others may still count.
__device__ int bins[32];

__global__ void count() {
  __shared__ int counts[32];
  const int t = threadIdx.x;
  if (t < 32) counts[t] = 0;
  __syncthreads();
  atomicAdd(&counts[t * 7 % 32], 1);  // finds race-atomic
#ifdef RIGHT
  __syncthreads();
#endif
  if (t < 32) bins[t] = counts[t];  // finds race-atomic
}

int main() {
  count<<<1, 128>>>();
  cudaDeviceSynchronize();
}
