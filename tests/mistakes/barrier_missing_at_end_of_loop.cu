// The next turn of the loop overwrites the shared array while other threads still read it.
__device__ int values[256], results[64];

__global__ void add_reversed() {
  __shared__ int part[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = t; i < 256; i += 64) {
    part[t] = values[i];  // finds race-block
    __syncthreads();
    sum += part[63 - t];  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
  }
  results[t] = sum;
}

int main() {
  add_reversed<<<1, 64>>>();
  cudaDeviceSynchronize();
}
