// A scan of a warp in volatile shared memory: each step relies on lanes that run in step.
__device__ int results[32];

__global__ void scan() {
  __shared__ volatile int sums[64];
  const int lane = threadIdx.x;
  sums[lane] = 0;
  sums[lane + 32] = lane;
  __syncwarp();
  for (int offset = 1; offset < 32; offset *= 2) {
#ifdef RIGHT
    const int sum = sums[lane + 32] + sums[lane + 32 - offset];
    __syncwarp();
    sums[lane + 32] = sum;
    __syncwarp();
#else
    sums[lane + 32] = sums[lane + 32] + sums[lane + 32 - offset];  // finds warp-sync
#endif
  }
  results[lane] = sums[lane + 32];
}

int main() {
  scan<<<1, 32>>>();
  cudaDeviceSynchronize();
}
