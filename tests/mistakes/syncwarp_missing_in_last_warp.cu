// The last warp of a reduction adds in shared memory without __syncwarp().
__device__ int result;

__global__ void sum_all() {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = t;
  __syncthreads();
  if (t < 32) {
    for (int offset = 32; offset > 0; offset /= 2) {
#ifdef RIGHT
      const int other = sums[t + offset];
      __syncwarp();
      sums[t] += other;
      __syncwarp();
#else
      sums[t] += sums[t + offset];  // finds race-warp
#endif
    }
  }
  if (t == 0) result = sums[0];
}

int main() {
  sum_all<<<1, 64>>>();
  cudaDeviceSynchronize();
}
