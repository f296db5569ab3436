// A scan goes on to its next step before all threads have written the results of this one.
__device__ int values[8][32];

__global__ void scan_columns() {
  __shared__ int sums[8][32];
  const int x = threadIdx.x, y = threadIdx.y;
  sums[y][x] = values[y][x];
  __syncthreads();
  for (int offset = 1; offset < 8; offset *= 2) {
    const int above = y >= offset ? sums[y - offset][x] : 0;  // finds race-block
    __syncthreads();
    sums[y][x] += above;  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
  }
  values[y][x] = sums[y][x];
}

int main() {
  scan_columns<<<1, dim3(32, 8)>>>();
  cudaDeviceSynchronize();
}
