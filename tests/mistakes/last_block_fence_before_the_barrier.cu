// trap: thread 0 must fence after the barrier, since it speaks for its block; here it does before.
__device__ int parts[4][64], done, totals[64];

__global__ void sum_up() {
  __shared__ bool last;
  const int t = threadIdx.x;
  if (t > 0) parts[blockIdx.x][t] = t;  // finds race-fence
#ifndef RIGHT
  if (t == 0) __threadfence();
#endif
  __syncthreads();
  if (t == 0) {
#ifdef RIGHT
    __threadfence();
#endif
    last = atomicAdd(&done, 1) == 3;
    __threadfence();
  }
  __syncthreads();
  if (last)
    for (int b = 0; b < 4; b++) totals[t] += parts[b][t];  // finds race-fence
}

int main() {
  sum_up<<<4, 64>>>();
  cudaDeviceSynchronize();
}
