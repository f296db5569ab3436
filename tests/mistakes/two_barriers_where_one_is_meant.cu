// The two halves of a block wait at different barriers.
__device__ int results[64];

__global__ void exchange() {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = t;
#ifdef RIGHT
  __syncthreads();
#else
  if (t < 32)
    __syncthreads();  // finds barrier
  else
    __syncthreads();
#endif
  results[t] = values[t];
}

int main() {
  exchange<<<1, 64>>>();
  cudaDeviceSynchronize();
}
