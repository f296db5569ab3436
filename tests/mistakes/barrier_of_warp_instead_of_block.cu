// __syncwarp() orders the lanes of one warp; these threads are in two.
__device__ int values[64];

__global__ void reverse() {
  __shared__ int copy[64];
  const int t = threadIdx.x;
  copy[t] = values[t];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#else
  __syncwarp();
#endif
  values[t] = copy[63 - t];  // finds race-block
}

int main() {
  reverse<<<1, 64>>>();
  cudaDeviceSynchronize();
}
