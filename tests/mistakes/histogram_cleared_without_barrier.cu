// The first warp clears the bins of a block; the others count before it has surely done so.
__device__ int bins[32];

__global__ void count() {
  __shared__ int counts[32];
  const int t = threadIdx.x;
  if (t < 32) counts[t] = 0;  // finds race-atomic
#ifdef RIGHT
  __syncthreads();
#endif
  atomicAdd(&counts[t % 32], 1);  // finds race-atomic
  __syncthreads();
  if (t < 32) bins[t] = counts[t];
}

int main() {
  count<<<1, 128>>>();
  cudaDeviceSynchronize();
}
