// A reduction starts before all threads have written what they bring.
__device__ int values[64], results[32];

__global__ void fold() {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = values[t] + 1;  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  if (t < 32) results[t] = sums[t] + sums[t + 32];  // finds race-block
}

int main() {
  fold<<<1, 64>>>();
  cudaDeviceSynchronize();
}
