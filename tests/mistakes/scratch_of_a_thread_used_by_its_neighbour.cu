// trap: a thread may use its own element again and again without a barrier; not its neighbour's.
__device__ int results[64];

__global__ void work() {
  __shared__ int scratch[64];
  const int t = threadIdx.x;
  scratch[t] = t;
  __syncthreads();
  for (int i = 0; i < 3; i++) scratch[t] = 2 * scratch[t] + 1;  // finds race-block
#ifdef RIGHT
  results[t] = scratch[t];
#else
  if (t >= 32) results[t] = scratch[t - 32];  // finds race-block
#endif
}

int main() {
  work<<<1, 64>>>();
  cudaDeviceSynchronize();
}
