// Each warp adds the sums of the warps before it, without waiting for them.
__device__ int values[128];

__global__ void scan() {
  __shared__ int sums[4];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int sum = values[t] + 1;
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, sum, offset);
    if (lane >= offset) sum += left;
  }
  if (lane == 31) sums[warp] = sum;  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  for (int before = 0; before < warp; before++) sum += sums[before];  // finds race-block
  values[t] = sum;
}

int main() {
  scan<<<1, 128>>>();
  cudaDeviceSynchronize();
}
