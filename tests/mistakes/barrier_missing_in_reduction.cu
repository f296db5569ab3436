// The loop of a reduction has no barrier between one step and the next.
__device__ int values[128], result;

__global__ void sum_all() {
  __shared__ int sums[128];
  const int t = threadIdx.x;
  sums[t] = values[t];
  __syncthreads();
  for (int half = 64; half >= 32; half /= 2) {
    if (t < half) sums[t] += sums[t + half];  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
  }
  if (t >= 32) return;
  int sum = sums[t];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (t == 0) result = sum;
}

int main() {
  sum_all<<<1, 128>>>();
  cudaDeviceSynchronize();
}
