// Two lanes exchange values through volatile shared memory as if every lane had written already.
__device__ int results[32];

__global__ void swap_halves() {
  __shared__ volatile int values[32];
  const int lane = threadIdx.x;
  values[lane] = 7 * lane;  // finds warp-sync
#ifdef RIGHT
  __syncwarp();
#endif
  results[lane] = values[lane ^ 16];  // finds warp-sync
}

int main() {
  swap_halves<<<1, 32>>>();
  cudaDeviceSynchronize();
}
