// A scan of a warp in shared memory without __syncwarp() between reading and writing.
__device__ int results[32];

__global__ void scan() {
  __shared__ int sums[64];
  const int lane = threadIdx.x;
  sums[lane] = 0;
  sums[lane + 32] = lane;
  __syncwarp();
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = sums[lane + 32 - offset];  // finds race-warp
#ifdef RIGHT
    __syncwarp();
#endif
    sums[lane + 32] += left;  // finds race-warp
    __syncwarp();
  }
  results[lane] = sums[lane + 32];
}

int main() {
  scan<<<1, 32>>>();
  cudaDeviceSynchronize();
}
