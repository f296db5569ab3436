// A reduction down to one element has no barrier between its steps: warps and lanes collide.
__device__ int values[256], result;

__global__ void sum_all() {
  __shared__ int sums[256];
  const int t = threadIdx.x;
  sums[t] = values[t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
  }
  if (t == 0) result = sums[0];
}

int main() {
  sum_all<<<1, 256>>>();
  cudaDeviceSynchronize();
}
