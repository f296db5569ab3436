// trap: __syncthreads_or() is a barrier too; a vote within the warp orders nothing between warps.
__device__ int values[64];

__global__ void reverse() {
  __shared__ int copy[64];
  const int t = threadIdx.x;
  copy[t] = values[t];  // finds race-block
#ifdef RIGHT
  const bool any = __syncthreads_or(t == 5);
#else
  const bool any = __any_sync(0xffffffffu, t % 32 == 5);
#endif
  if (any) values[t] = copy[63 - t];  // finds race-block
}

int main() {
  reverse<<<1, 64>>>();
  cudaDeviceSynchronize();
}
