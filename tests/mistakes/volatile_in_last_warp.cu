// The last warp of a reduction relies on volatile and on lanes that run in step.
__device__ int result;

__global__ void sum_all() {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = t;
  __syncthreads();
  if (t < 32) {
    volatile int* lanes = sums;
    for (int offset = 32; offset > 0; offset /= 2) {
#ifdef RIGHT
      const int other = lanes[t + offset];
      __syncwarp();
      lanes[t] = lanes[t] + other;
      __syncwarp();
#else
      lanes[t] = lanes[t] + lanes[t + offset];  // finds warp-sync
#endif
    }
  }
  if (t == 0) result = sums[0];
}

int main() {
  sum_all<<<1, 64>>>();
  cudaDeviceSynchronize();
}
