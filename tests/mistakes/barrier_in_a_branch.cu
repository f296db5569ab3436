// Only half of the threads come to a barrier that stands in a branch.
__device__ int results[64];

__global__ void rotate() {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = t;
  __syncthreads();
#ifdef RIGHT
  if (t < 32) values[t] += values[t + 32];
  __syncthreads();
#else
  if (t < 32) {
    values[t] += values[t + 32];
    __syncthreads();  // finds barrier
  }
#endif
  results[t] = t;
}

int main() {
  rotate<<<1, 64>>>();
  cudaDeviceSynchronize();
}
