// A table is filled by the first block and used by all in the same kernel: blocks have no order.
__device__ int table[64], results[4][64];

__global__ void step(bool fill, bool use) {
  const int t = threadIdx.x, b = blockIdx.x;
  if (fill && b == 0) table[t] = t * t;            // finds race-grid
  if (use && b > 0) results[b][t] = b * table[t];  // finds race-grid
}

int main() {
#ifdef RIGHT
  step<<<4, 64>>>(true, false);
  step<<<4, 64>>>(false, true);
#else
  step<<<4, 64>>>(true, true);
#endif
  cudaDeviceSynchronize();
}
