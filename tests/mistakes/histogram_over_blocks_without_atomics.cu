// Each block adds its counts to those of all blocks with +=.
__device__ unsigned int bins[64];

__global__ void count() {
  __shared__ unsigned int counts[64];
  const int t = threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  atomicAdd(&counts[t * t % 64], 1u);
  __syncthreads();
#ifdef RIGHT
  atomicAdd(&bins[t], counts[t]);
#else
  bins[t] += counts[t];  // finds race-grid
#endif
}

int main() {
  count<<<4, 64>>>();
  cudaDeviceSynchronize();
}
