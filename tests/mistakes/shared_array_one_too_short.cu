// The shared array has no room for the element that the last thread writes behind its own.
__device__ int results[64];

__global__ void shift() {
#ifdef RIGHT
  __shared__ int values[65];
#else
  __shared__ int values[64];
#endif
  const int t = threadIdx.x;
  if (t == 0) values[0] = 0;
  values[t + 1] = t;  // finds out-of-bounds
  __syncthreads();
  results[t] = values[t];
}

int main() {
  shift<<<1, 64>>>();
  cudaDeviceSynchronize();
}
