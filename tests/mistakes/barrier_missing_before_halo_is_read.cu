// The halo is loaded by the first warp; the last one reads it without a barrier.
__device__ int in[96], out[64];

__global__ void shift() {
  __shared__ int tile[96];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  if (t < 32) tile[64 + t] = in[64 + t];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  if (t >= 32) out[t] = tile[t + 32];  // finds race-block
}

int main() {
  shift<<<1, 64>>>();
  cudaDeviceSynchronize();
}
