// trap: a barrier in a branch is right if the whole block goes there; here single threads decide.
__device__ int results[4][64];

__global__ void work() {
  __shared__ int values[64];
  const int t = threadIdx.x;
#ifdef RIGHT
  const bool busy = blockIdx.x % 2 == 0;
#else
  const bool busy = t >= 32;
#endif
  if (busy) {
    values[t] = t;
    __syncthreads();  // finds barrier
    results[blockIdx.x][t] = values[t];
  }
}

int main() {
  work<<<4, 64>>>();
  cudaDeviceSynchronize();
}
